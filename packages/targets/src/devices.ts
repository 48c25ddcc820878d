// The devices that the compiler knows, by name.

import type { Device } from "@tilefoundry/ir";
import { readDevice } from "./device-document.ts";
import { DEVICE_DOCUMENTS } from "./device-documents.ts";

export type DeviceName = keyof typeof DEVICE_DOCUMENTS;

export const deviceNamed = (name: DeviceName): Device => readDevice(DEVICE_DOCUMENTS[name]);
