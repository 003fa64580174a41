import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'

/**
 * Runs PostgreSQL until the process that has started this one ends, however it ends: then its input is at its end. Removes
 * the folder after that.
 */
const [folder = '', program = '', uid, ...args] = process.argv.slice(2)
const owner = uid ? { uid: Number(uid), gid: Number(uid) } : {}
const postgres = spawn(program, args, { cwd: `${folder}/data`, stdio: 'ignore', ...owner })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.stdin.resume().once('close', () => postgres.kill('SIGQUIT'))
postgres.once('exit', (code) => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(code ?? 0)
})
