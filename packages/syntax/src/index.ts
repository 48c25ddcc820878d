// Printer and formatter of the surface tree.
export { print, printExpr } from "./print.ts";
export { format, formatTemplate } from "./format.ts";
export { formatKernels, KERNEL_DECORATOR } from "./kernels.ts";
