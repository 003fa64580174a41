import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The holder touches its lock this often; one left untouched for `abandonedAfter` belongs to nobody. */
const heartbeat = 2_000
const abandonedAfter = 60_000

/**
 * Runs `work` while no other process runs work under the same lock file; waits for as long as another does. A lock
 * whose processes are dead is taken over.
 *
 * @template T
 * @param {string} file the lock's path
 * @param {{ onWait?: () => void, poll?: number }} options `onWait` is called once when there is somebody to wait for;
 *   `poll` is the time between two looks, in milliseconds
 * @param {(noteProcess: (pid: number) => void) => Promise<T>} work `noteProcess` names a child that outlives a killed
 *   holder: the lock is not taken over before the child is gone as well
 * @returns {Promise<T>}
 */
export async function withLock(file, { onWait, poll = 200 }, work) {
  mkdirSync(dirname(file), { recursive: true })
  let waited = false
  while (!tryTake(file)) {
    if (removeIfStale(file)) continue
    if (!waited) onWait?.()
    waited = true
    await sleep(poll)
  }
  const beat = setInterval(() => touch(file), heartbeat)
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  try {
    return await work((pid) => writeFileSync(file, `${process.pid} ${pid}`))
  } finally {
    clearInterval(beat)
    process.removeListener('exit', release)
    release()
  }
}

/** @param {string} file */
function tryTake(file) {
  // Written under its own name first and then linked: nobody ever reads a lock that is still empty.
  const own = `${file}.${process.pid}`
  writeFileSync(own, String(process.pid))
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(own, { force: true })
  }
}

/**
 * Renaming is what decides between two that find the same stale lock: one gets it. Should the file have changed
 * hands between the look and the renaming, it is put back.
 *
 * @param {string} file
 */
function removeIfStale(file) {
  if (!isStale(file)) return false
  const aside = `${file}.stale.${process.pid}`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true
    throw error
  }
  if (!isStale(aside)) linkSync(aside, file)
  rmSync(aside, { force: true })
  return true
}

/** @param {string} file */
function isStale(file) {
  try {
    const pids = readFileSync(file, 'utf8').split(' ').map(Number)
    return !pids.some(isAlive) || Date.now() - statSync(file).mtimeMs > abandonedAfter
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** @param {string} file */
function touch(file) {
  try {
    utimesSync(file, new Date(), new Date())
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/** @param {unknown} error */
function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
