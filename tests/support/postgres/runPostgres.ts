import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'

/**
 * Runs PostgreSQL until the process that has started this one ends, however it ends: then its input is at its end. Removes
 * the folder after that. When PostgreSQL is killed, it is started again, as the system does that runs it elsewhere. A line
 * `stop` ends PostgreSQL as its operator does, one `kill` as a machine that dies, and one `start` starts it again.
 */
const [folder = '', program = '', uid, ...args] = process.argv.slice(2)
const owner = uid ? { uid: Number(uid), gid: Number(uid) } : {}
/** Milliseconds between two tries: after a kill it cannot start before the last of its processes has noticed. */
const retryMs = 100
let postgres: ChildProcess | undefined
let isStopped = false
let isOver = false
let wasKilled = false

function start(): void {
  if (isOver) end(0)
  isStopped = false
  postgres = spawn(program, args, { cwd: `${folder}/data`, stdio: 'ignore', ...owner })
  postgres.once('exit', (code, signal) => {
    postgres = undefined
    wasKilled ||= signal === 'SIGKILL'
    if (isOver) end(code ?? 0)
    else if (wasKilled && !isStopped) setTimeout(start, retryMs)
    else if (!isStopped) end(code ?? 0)
  })
}

function end(code: number): never {
  rmSync(folder, { recursive: true, force: true })
  process.exit(code)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.stdin.setEncoding('utf8').on('data', (line) => {
  if (String(line) === 'start\n') start()
  else {
    isStopped = true
    postgres?.kill(String(line) === 'kill\n' ? 'SIGKILL' : 'SIGINT')
  }
})
process.stdin.once('close', () => {
  isOver = true
  if (postgres) postgres.kill('SIGQUIT')
  else end(0)
})
start()
