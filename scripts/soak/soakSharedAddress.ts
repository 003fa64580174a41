import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cookies, csrfHeader, errorPrefix } from '../../src/schemas/define/wireNames.ts'
import { AgentCalls } from '../../tests/support/agent/agentCalls.ts'
import { AgentTrace } from '../../tests/support/agent/agentTrace.ts'
import { type ServerProcess, spawnServer } from '../../tests/support/server/process/spawnServer.ts'
import { pause } from './simulatedUsers.ts'

/** What an office did, and what its people and agents noticed of the others behind their address. */
export interface OfficeReport {
  /** Figures, a line for each. */
  lines: string[]
  faults: string[]
}

interface OfficeOptions {
  /** Milliseconds. */
  lastsMs: number
  onProgress: (text: string) => void
}

const peopleCount = 20
const agentCount = 5
/** What somebody good may wait for a reply. */
const patienceMs = 2000
/** How long people work between two sign-ins, and how long they are away then. */
const workMs = 30_000
const awayMs = 5000
/** Between two calls of a person, two reports of an agent, and two guesses. */
const callMs = 2000
const reportMs = 10_000
const guessMs = 1000
/** Seconds that one typing error costs, begun ones too; longer means that others' errors count. */
const ownPause = 4
/** Accounts that nobody uses meanwhile, and that are guessed. */
const absentCount = 10
const password = 'only for the soak'

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

/**
 * Twenty people and five good agents work behind one address, as behind a router: they come one after the other, some
 * make a typing error, they work, sign out, and sign in again. Beside them are five agents with a wrong secret, a program
 * that guesses the administrator's password, and, once all have come, one that tries many accounts, so that nobody new may
 * sign in at the address. The server is one of its own, in a temporary folder.
 * @throws Error when it does not start
 */
export async function soakSharedAddress({ lastsMs, onProgress }: OfficeOptions): Promise<OfficeReport> {
  const folder = mkdtempSync(join(tmpdir(), 'wheelhouse-soak-'))
  const server = await spawnServer({ DATA_DIR: join(folder, 'data'), ADMIN_PASSWORD: password })
  try {
    if (!server.address) throw new Error(`The server did not start:\n${server.output()}`)
    return await workInOffice(server, lastsMs, onProgress)
  } finally {
    server.kill('SIGTERM')
    await server.ended
    rmSync(folder, { recursive: true, force: true })
  }
}

async function workInOffice(
  { address, output }: ServerProcess,
  lastsMs: number,
  onProgress: (text: string) => void,
): Promise<OfficeReport> {
  const faults: string[] = []
  const times: number[] = []
  const counts = { signIns: 0, typingErrors: 0, signOuts: 0, calls: 0, reports: 0, refusedAgents: 0 }
  const guesses = { answered: 0, refused: 0 }
  const end = performance.now() + lastsMs
  const isOver = () => performance.now() >= end
  const pauseUntilOver = (ms: number) => pause(Math.max(0, Math.min(ms, end - performance.now())))

  /** Does what somebody good does. @returns its result; undefined, and a fault, when it fails */
  async function good<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    const start = performance.now()
    try {
      return await work()
    } catch (error) {
      faults.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    } finally {
      const took = performance.now() - start
      times.push(took)
      if (took > patienceMs) faults.push(`${what} took ${took.toFixed(0)} ms.`)
    }
  }

  async function signIn(browser: OfficeBrowser, name: string, makesError: boolean): Promise<void> {
    const what = `The sign-in of ${name}`
    if (makesError) {
      counts.typingErrors++
      const status = await good(`A typing error of ${name}`, () => browser.signIn(name, 'a typing error'))
      if (status && status.result !== 'wrong') faults.push(`A typing error of ${name} was ${status.result}.`)
      const refusal = await good(what, () => browser.signIn(name, password))
      const { result, retryAfter = 0 } = refusal ?? { result: 'nothing' }
      if (result !== 'blocked' || retryAfter > ownPause) faults.push(`${what} was ${result} for ${retryAfter} s.`)
      await pauseUntilOver(retryAfter * 1000)
      if (isOver()) return
    }
    const reply = await good(what, () => browser.signIn(name, password))
    if (reply?.result === 'good') counts.signIns++
    else if (reply) faults.push(`${what} with the right password was ${reply.result} for ${reply.retryAfter} s.`)
  }

  async function beAtWork(name: string, browser: OfficeBrowser, number: number): Promise<void> {
    // All have come at 40 % of the time, one after the other.
    await pauseUntilOver((number / peopleCount) * 0.4 * lastsMs)
    for (let visit = 0; !isOver(); visit++) {
      await signIn(browser, name, (number + visit) % 3 === 0)
      if (isOver()) return
      const leaves = performance.now() + workMs
      while (performance.now() < leaves && !isOver()) {
        for (const path of ['profile', 'server', 'setting']) {
          counts.calls++
          await good(`GET ${path} of ${name}`, () => browser.call('GET', path))
        }
        await pauseUntilOver(callMs)
      }
      counts.signOuts++
      const ended = new Map(browser.jar)
      await good(`The sign-out of ${name}`, () => browser.call('POST', 'wheelhouse/logout'))
      // A page of another window, which still has the cookies.
      await good(`An ended session of ${name}`, () => createBrowser(address, ended).call('GET', 'setting'))
      await pauseUntilOver(awayMs)
    }
  }

  async function reportFrom(number: number, secret: string, isGood: boolean): Promise<void> {
    const calls = new AgentCalls({
      server: new URL(address).host,
      metadata: { 'client-secret': secret, 'client-uuid': `12345678-1234-4234-8234-1234567890${10 + number}` },
      userAgent: 'grpc-go/1.83.0',
      trace: new AgentTrace(),
    })
    const report = () => calls.unary('ReportSystemInfo2', {})
    for (; !isOver(); await pauseUntilOver(reportMs)) {
      if (isGood) {
        counts.reports++
        await good(`A report of agent ${number}`, report)
      } else {
        const isTaken = await report().then(
          () => true,
          () => false,
        )
        if (isTaken) faults.push('An agent with a wrong secret was accepted.')
        counts.refusedAgents++
      }
    }
    calls.close()
  }

  /** Each guess comes from a browser that has not been here. */
  async function guess(nameOf: (number: number) => string): Promise<void> {
    for (let number = 0; !isOver(); number++, await pauseUntilOver(guessMs)) {
      const { result } = await createBrowser(address).signIn(nameOf(number), `guess ${number}`)
      if (result === 'good') faults.push('A guess was right.')
      guesses[result === 'blocked' ? 'refused' : 'answered']++
    }
  }

  const admin = createBrowser(address)
  await admin.signIn('admin', password)
  const names = ['admin', ...numbers(peopleCount - 1).map((n) => `person ${n + 1}`)]
  const absent = numbers(absentCount).map((n) => `absent ${n}`)
  for (const username of [...names.slice(1), ...absent])
    await admin.call('POST', 'user', { username, password, role: 1 })
  const { agent_secret } = (await admin.call('GET', 'profile')) as { agent_secret: string }
  const reporting = setInterval(() => onProgress(JSON.stringify({ ...counts, guesses, faults: faults.length })), 60_000)
  await Promise.all([
    ...names.map((name, number) => beAtWork(name, number === 0 ? admin : createBrowser(address), number)),
    ...numbers(agentCount).map((number) => reportFrom(number, agent_secret, true)),
    ...numbers(agentCount).map((number) => reportFrom(agentCount + number, 'wrong', false)),
    guess(() => 'admin'),
    pauseUntilOver(lastsMs / 2).then(() => guess((number) => absent[number % absentCount] as string)),
  ])
  clearInterval(reporting)
  const stranger = await createBrowser(address).signIn('person 1', password)
  if (stranger.result !== 'blocked') faults.push('Somebody new could sign in: the address was not blocked at all.')
  const logged = output().match(/^.*(?:failed:|Error\b|^\s+at ).*$/gm) ?? []
  faults.push(...logged.slice(0, 20).map((line) => `The server logged: ${line}`))

  times.sort((one, other) => one - other)
  const at = (share: number) => `${(times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(0)} ms`
  return {
    lines: [
      `people: ${counts.signIns} sign-ins, ${counts.typingErrors} typing errors, ${counts.signOuts} sign-outs, ${counts.calls} calls`,
      `agents: ${counts.reports} good reports, ${counts.refusedAgents} with a wrong secret refused`,
      `guesses: ${guesses.answered} answered, ${guesses.refused} refused; somebody new waits ${stranger.retryAfter} s`,
      `replies to somebody good: ${times.length}, median ${at(0.5)}, 99 of 100 within ${at(0.99)}, slowest ${at(1)}`,
    ],
    faults,
  }
}

interface OfficeBrowser {
  /** The cookies. */
  jar: Map<string, string>
  /** @returns `retryAfter` in seconds when it is blocked */
  signIn(username: string, password: string): Promise<{ result: 'good' | 'wrong' | 'blocked'; retryAfter?: number }>
  /** @returns `data` @throws Error with the refusal's words */
  call(method: string, path: string, body?: object): Promise<unknown>
}

/** A browser that keeps its cookies when somebody signs out, as browsers do. */
function createBrowser(address: string, jar = new Map<string, string>()): OfficeBrowser {
  async function send(method: string, path: string, body?: object): Promise<Response> {
    const reply = await fetch(`${address}/api/v1/${path}`, {
      method,
      headers: {
        accept: 'application/json',
        cookie: [...jar].map((pair) => pair.join('=')).join('; '),
        [csrfHeader]: jar.get(cookies.csrf) ?? '',
      },
      body: body && JSON.stringify(body),
    })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/; max-age=0(;|$)/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return reply
  }

  return {
    jar,
    async signIn(username, password) {
      const reply = await send('POST', 'login', { username, password })
      const { success, error = '' } = (await reply.json()) as { success?: true; error?: string }
      if (success) return { result: 'good' }
      if (reply.status === 403) return { result: 'blocked', retryAfter: Number(reply.headers.get('retry-after')) }
      if (!error.startsWith(errorPrefix.unauthorized)) throw new Error(`${reply.status} ${error}`)
      return { result: 'wrong' }
    },
    async call(method, path, body) {
      const reply = await send(method, path, body)
      const text = await reply.text()
      const { success, data, error } = JSON.parse(text) as { success?: true; data?: unknown; error?: string }
      if (!success) throw new Error(`${reply.status} ${error}`)
      return data
    },
  }
}
