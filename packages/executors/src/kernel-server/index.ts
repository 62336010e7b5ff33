export { bearsToken } from "./check-token.js";
export { createRemoteExecutor, type RemoteExecutorOptions } from "./create-remote-executor.js";
export { type KernelUser, kernelUsers } from "./kernel-users.js";
export { type KernelServer, type KernelServerOptions, openKernelServer } from "./open-kernel-server.js";
