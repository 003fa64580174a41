// The thread that startWatchdog() starts. It prints by itself: the streams of a thread need the one that hangs.
import { writeSync } from 'node:fs'
import type { Debugger, InspectorNotification } from 'node:inspector'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { keepTrace } from './crashTrace.ts'
import type { Watched } from './watchdog.ts'

const { signs, tickMs, mostMissing, traceFile, version } = workerData as Watched
const view = new Int32Array(signs)
const [alive, debugged] = [0, 1]

/** Milliseconds for finding out where the process hangs: native code may not be interrupted. */
const stackMs = 2_000

let seen = 0
let missing = 0
const timer = setInterval(() => {
  const now = Atomics.load(view, alive)
  // Turns of this thread are counted, not time: they are none while the process or the machine stands still.
  missing = now === seen && Atomics.load(view, debugged) === 0 ? missing + 1 : 0
  seen = now
  if (missing < mostMissing) return
  clearInterval(timer)
  void end()
}, tickMs)

async function end(): Promise<void> {
  const error = new Error(`The server did nothing for ${Math.round((mostMissing * tickMs) / 1000)} s, and is ended.`)
  const stack = await Promise.race([stackOfMainThread().catch(() => undefined), sleep(stackMs, undefined)])
  error.stack = `${error.message}\n${stack ?? '    in native code'}`
  const log = { error: (text: string) => void writeSync(2, `${text}\n`) }
  log.error(error.stack)
  if (traceFile !== undefined) keepTrace(traceFile, error, version, log)
  process.kill(process.pid, 'SIGKILL')
}

/** Where the main thread is, in the form of a stack. */
async function stackOfMainThread(): Promise<string> {
  const { Session } = await import('node:inspector/promises')
  const session = new Session()
  session.connectToMainThread()
  const urls = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params }) => void urls.set(params.scriptId, params.url))
  const paused = new Promise<InspectorNotification<Debugger.PausedEventDataType>>((resolve) => {
    session.once('Debugger.paused', resolve)
  })
  await session.post('Debugger.enable')
  await session.post('Debugger.pause')
  const { params } = await paused
  return params.callFrames
    .map(({ functionName, location: { scriptId, lineNumber, columnNumber = 0 } }) => {
      const place = `${urls.get(scriptId) ?? ''}:${lineNumber + 1}:${columnNumber + 1}`
      return `    at ${functionName || '<anonymous>'} (${place})`
    })
    .join('\n')
}
