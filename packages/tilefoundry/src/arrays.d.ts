import { type ArrayOptions, type ElementData, type Nested, type NdArray } from "@tilefoundry/runtime";
/**
 * An array with a copy of the elements of a typed array, of nested lists, or of one number. A typed array gives its own dtype and one axis
 * unless `options.shape` says otherwise. Throws a TileFoundryError if shape, dtype and elements do not fit.
 */
export declare function array(data: ElementData | Nested, options?: ArrayOptions): NdArray;
/** The array in the bytes of a `.npy` file, versions 1 to 3, either byte order. Throws a TileFoundryError that names the fault and the file. */
export declare function fromNpy(bytes: Uint8Array, name?: string): NdArray;
