import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** A process in the session of a terminal. */
interface SessionProcess {
  pid: number
  group: number
  /** Start time: distinguishes it from a later process with the same id. */
  started: string
  /** The terminal's foreground process group. */
  foreground: number
}

/** Milliseconds between hang-up and kill, in which programs may save their data. */
const gracePeriodMs = 400
const pollMs = 20

/**
 * Ends a shell and all processes of its terminal, including background jobs: sends a hang-up and kills those that
 * remain. As with other terminals, background jobs that ignore hang-ups (`nohup`) stay, and so do processes with their
 * own session (`setsid`, tmux).
 * @param pty its `pid` is also the id of the session
 */
export async function endProcessSession(pty: { pid: number; kill(signal?: string): void }): Promise<void> {
  if (process.platform === 'win32') return pty.kill()
  const before = processesIn(pty.pid)
  const signalAll = (processes: readonly SessionProcess[], signal: NodeJS.Signals) => {
    for (const { pid } of processes) send(pid, signal)
  }
  signalAll(before, 'SIGHUP')
  // A stopped program cannot handle the signal.
  signalAll(before, 'SIGCONT')
  if (process.platform !== 'linux') send(-pty.pid, 'SIGHUP')
  // Compares with the state before the signals: without the shell there is no foreground group any more.
  const mayStay = (member: SessionProcess) => member.group !== before[0]?.foreground && ignoresHangup(member, pty.pid)
  const leader = before.find(({ pid }) => pid === pty.pid)
  const remaining = () => processesIn(pty.pid, leader).filter((member) => !mayStay(member))
  for (let waited = 0; waited < gracePeriodMs && remaining().length > 0; waited += pollMs) await pause(pollMs)
  // Twice, because one of them may just have started another.
  for (const _round of [1, 2]) signalAll(remaining(), 'SIGKILL')
  if (process.platform !== 'linux') send(-pty.pid, 'SIGKILL')
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended already.
  }
}

/**
 * The processes of a session. Empty outside Linux, where only the process group of the shell can be signalled.
 * @param leader the shell as it was before; if another process has its id now, the session has ended
 */
function processesIn(session: number, leader?: SessionProcess): SessionProcess[] {
  if (process.platform !== 'linux') return []
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (processIn(name, session) ?? []) : []))
  const currentLeader = processes.find(({ pid }) => pid === session)
  return currentLeader && leader && currentLeader.started !== leader.started ? [] : processes
}

function processIn(pid: string, session: number): SessionProcess | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The program's name is in parentheses and may contain parentheses and spaces.
    const [state, _parent, group, sessionOf, _terminal, foreground, ...rest] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
    if (Number(sessionOf) !== session || state === 'Z') return undefined
    return { pid: Number(pid), group: Number(group), foreground: Number(foreground), started: rest[13] ?? '' }
  } catch {
    // It ended in the meantime.
    return undefined
  }
}

/** Whether it is a background job that ignores SIGHUP. */
function ignoresHangup({ pid, group }: SessionProcess, session: number): boolean {
  if (group === session) return false
  try {
    const ignored = /^SigIgn:\s*([\da-f]+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? '0'
    return (BigInt(`0x${ignored}`) & 1n) === 1n
  } catch {
    return false
  }
}
