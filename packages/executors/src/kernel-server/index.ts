export { createRemoteExecutor, type RemoteExecutorOptions } from "./create-remote-executor.js";
export { type KernelServer, type KernelServerOptions, openKernelServer } from "./open-kernel-server.js";
