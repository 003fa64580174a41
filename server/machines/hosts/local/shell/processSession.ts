import { readdirSync, readFileSync } from 'node:fs'

/** A process of a terminal's session. */
interface Member {
  pid: number
  group: number
  /** When it was started: a number is given out again, but not at the same moment. */
  started: string
  /** The group that is in front in the terminal. */
  foreground: number
}

/** Milliseconds in which programs may save what they have after the hang-up. */
const patienceMs = 400
const lookMs = 20

/**
 * Ends a shell and everything that was started in its terminal, jobs in the background too: all are told that the
 * terminal is gone, and those that stay are killed. What was told not to mind (`nohup`) stays, as after any terminal;
 * what has left for a session of its own (`setsid`, tmux) is not part of it.
 * @param pty whose `pid` is the session's number
 */
export async function endProcessSession(pty: { pid: number; kill(signal?: string): void }): Promise<void> {
  if (process.platform === 'win32') return pty.kill()
  const before = membersOf(pty.pid)
  const signalAll = (members: readonly Member[], signal: NodeJS.Signals) => {
    for (const { pid } of members) send(pid, signal)
  }
  signalAll(before, 'SIGHUP')
  // A stopped program must run to hear.
  signalAll(before, 'SIGCONT')
  if (process.platform !== 'linux') send(-pty.pid, 'SIGHUP')
  // Once the shell has gone, nothing is in front any more.
  const spared = (member: Member) => member.group !== before[0]?.foreground && isMeantToStay(member, pty.pid)
  const leader = before.find(({ pid }) => pid === pty.pid)
  const remaining = () => membersOf(pty.pid, leader).filter((member) => !spared(member))
  for (let waited = 0; waited < patienceMs && remaining().length > 0; waited += lookMs) await pause(lookMs)
  // Twice: one of them may have started another a moment ago.
  for (const _round of [1, 2]) signalAll(remaining(), 'SIGKILL')
  if (process.platform !== 'linux') send(-pty.pid, 'SIGKILL')
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended a moment ago.
  }
}

/**
 * The processes of a session, where the system tells; without that the shell's own group is all that is reached.
 * @param leader as it was; when another process has its number now, the session is over
 */
function membersOf(session: number, leader?: Member): Member[] {
  if (process.platform !== 'linux') return []
  const members = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (memberOf(name, session) ?? []) : []))
  const now = members.find(({ pid }) => pid === session)
  return now && leader && now.started !== leader.started ? [] : members
}

function memberOf(pid: string, session: number): Member | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The program's name stands in brackets and may hold anything, brackets and spaces as well.
    const [state, _parent, group, sessionOf, _terminal, foreground, ...rest] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
    if (Number(sessionOf) !== session || state === 'Z') return undefined
    return { pid: Number(pid), group: Number(group), foreground: Number(foreground), started: rest[13] ?? '' }
  } catch {
    // It ended while we looked.
    return undefined
  }
}

/** A job of its own that was told not to mind a hang-up. */
function isMeantToStay({ pid, group }: Member, session: number): boolean {
  if (group === session) return false
  try {
    const ignored = /^SigIgn:\s*([\da-f]+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? '0'
    return (BigInt(`0x${ignored}`) & 1n) === 1n
  } catch {
    return false
  }
}
