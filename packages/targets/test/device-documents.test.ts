import { expect, test } from "vitest";
import { DEVICE_DOCUMENTS } from "../src/device-documents.ts";
import { readDevice } from "../src/device-document.ts";
import { documentsModule } from "./documents.ts";

test("the device documents in the code are those in devices/", async () => {
  await expect(documentsModule()).toMatchFileSnapshot("../src/device-documents.ts");
});

test("every device document names itself and fits the schema", () => {
  for (const [name, text] of Object.entries(DEVICE_DOCUMENTS)) {
    const device = readDevice(text);
    expect(device.name).toBe(name);
    expect(device.name.split(":")[0]).toBe(device.target);
    expect(device.vectorBits % 64).toBe(0);
  }
});
