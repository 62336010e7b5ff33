/**
 * Runs in the kernels' interpreter and makes one installation, all of it or nothing: under a lock that the system lets go of when
 * its holder dies, into a draft folder that gets its name once it is whole. Reads its job as JSON from stdin.
 */
export const installScript = `
import fcntl, json, os, shutil, subprocess, sys
job = json.load(sys.stdin)
os.makedirs(os.path.dirname(job["target"]), exist_ok=True)
with open(job["target"] + ".lock", "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    if os.path.isdir(job["target"]):
        print("already installed")
        sys.exit(0)
    draft = job["target"] + ".draft"
    shutil.rmtree(draft, ignore_errors=True)
    status = subprocess.call([*job["command"], "--target", draft, *job["specs"]], stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT)
    if status:
        shutil.rmtree(draft, ignore_errors=True)
        sys.exit(status if status > 0 else 1)
    os.makedirs(draft, exist_ok=True)
    os.rename(draft, job["target"])
`;

/** Asks an interpreter what an installation for it must be told apart by, and whether it has pip. */
export const probeScript = `
import importlib.util, json, sys, sysconfig
abi = sysconfig.get_config_var("SOABI") or sys.implementation.cache_tag
print(json.dumps({"version": "%d.%d.%d" % sys.version_info[:3], "abi": abi, "pip": importlib.util.find_spec("pip") is not None}))
`;
