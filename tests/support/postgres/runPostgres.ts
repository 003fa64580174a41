import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'

/**
 * Runs PostgreSQL until the process that has started this one ends, however it ends: then its input is at its end. Removes
 * the folder after that. A line `stop` ends PostgreSQL as its operator does, and one `start` starts it again.
 */
const [folder = '', program = '', uid, ...args] = process.argv.slice(2)
const owner = uid ? { uid: Number(uid), gid: Number(uid) } : {}
let postgres: ChildProcess | undefined
let isStopped = false

function start(): void {
  isStopped = false
  postgres = spawn(program, args, { cwd: `${folder}/data`, stdio: 'ignore', ...owner })
  postgres.once('exit', (code) => {
    postgres = undefined
    if (!isStopped) end(code)
  })
}

function end(code: number | null): void {
  rmSync(folder, { recursive: true, force: true })
  process.exit(code ?? 0)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.stdin.setEncoding('utf8').on('data', (line) => {
  if (String(line) === 'start\n') return start()
  isStopped = true
  postgres?.kill('SIGINT')
})
process.stdin.once('close', () => {
  isStopped = false
  if (postgres) postgres.kill('SIGQUIT')
  else end(0)
})
start()
