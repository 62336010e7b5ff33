/** One folder to be made, as `buildScript` reads it. */
export interface BuildJob {
  /** What is to be there in the end. */
  target: string;
  /**
   * Packages can be made elsewhere and named once they are whole. A virtual environment is made where it stays, since what is
   * installed into it remembers its place; a mark in it tells that it is whole.
   */
  kind: "packages" | "environment";
  /** Programs with their arguments, of which each needs those before. `DRAFT` stands for the folder to work in. */
  steps: readonly (readonly string[])[];
}

/** Stands in a step's arguments for the folder that is worked in; so does what begins with it and a slash. */
export const draftFolder = "\0draft";

/** In an environment that is whole: a file that holds the path at which it was made. */
export const wholeMark = ".whole";

/** A step's place in `steps` is its failure's exit status less this. */
export const firstStepStatus = 100;

/**
 * Runs in the kernels' interpreter and makes one folder, all of it or nothing: under a lock that the system lets go of when its
 * holder and the installer that it runs are dead. What a killed one has left behind is removed first. With `clean` it does no
 * more than that, and leaves alone what somebody else is making. Reads its job as JSON from stdin.
 */
export const buildScript = `
import fcntl, json, os, shutil, subprocess, sys
job = json.load(sys.stdin)
target, stays = job["target"], job["kind"] == "environment"
draft = target if stays else target + ".draft"
python = os.path.join(target, "bin", "python")

def whole():
    if not stays:
        return os.path.isdir(target)
    try:
        with open(os.path.join(target, "${wholeMark}")) as mark:
            if mark.read() != target:
                return False
        ask = [python, "-I", "-c", ""]
        return not subprocess.call(ask, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return False

def locked():
    while True:
        lock = open(target + ".lock", "w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | (fcntl.LOCK_NB if job["clean"] else 0))
            # Whoever removed the folder removed its lock with it: another one may be held by now.
            if os.path.samestat(os.fstat(lock.fileno()), os.stat(target + ".lock")):
                return lock
        except BlockingIOError:
            sys.exit(0)
        except FileNotFoundError:
            pass
        lock.close()

def remove():
    if os.path.islink(draft) or os.path.isfile(draft):
        os.unlink(draft)
    shutil.rmtree(draft, ignore_errors=True)

if job["clean"] and not os.path.exists(target + ".lock"):
    sys.exit(0)
os.makedirs(os.path.dirname(target), exist_ok=True)
lock = locked()
if whole():
    print("already there")
    sys.exit(0)
remove()
if job["clean"]:
    sys.exit(0)
status = 1
try:
    for number, step in enumerate(job["steps"]):
        command = [part.replace("${draftFolder.replace("\0", "\\0")}", draft) for part in step]
        # It keeps the lock for as long as it runs, even when this script is killed.
        status = subprocess.call(command, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT, pass_fds=[lock.fileno()])
        if status:
            status = ${firstStepStatus} + number
            break
    else:
        os.makedirs(draft, exist_ok=True)
        if stays:
            with open(os.path.join(draft, "${wholeMark}.part"), "w") as mark:
                mark.write(target)
            os.rename(mark.name, os.path.join(draft, "${wholeMark}"))
        else:
            os.rename(draft, target)
finally:
    if status:
        # Not every program says what has stopped it.
        if shutil.disk_usage(os.path.dirname(target)).free < 2 ** 18:
            print("No space left on device: " + os.path.dirname(target), flush=True)
        remove()
sys.exit(status)
`;
