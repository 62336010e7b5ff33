export { ensurePrograms } from "./ensure-programs.js";
export { type OwnPodman, openPodman } from "./open-podman.js";
export { readingOnly, type SmallDiskOptions, smallDiskOrSkip, withSmallDisk } from "./small-disk.js";
