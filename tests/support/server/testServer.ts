import type { FastifyInstance } from 'fastify'
import { type AppOptions, buildApp } from '../../../server/app.ts'
import type { AuditLog } from '../../../server/audit/auditLog.ts'
import { hashPassword, type PasswordCost } from '../../../server/auth/passwords/password.ts'
import type { Providers } from '../../../server/auth/providers/providers.ts'
import { addUser, usersIn } from '../../../server/auth/users/users.ts'
import type { Store } from '../../../server/db/store.ts'
import type { Log } from '../../../server/log.ts'
import { type Site, writeSite } from '../../../server/site/site.ts'
import { type Browser, createBrowser } from '../console/browser.ts'
import { emptyStore, partsFor } from './emptyStore.ts'
import { openServers } from './openServers.ts'

export const password = 'correct horse'

/** The least that argon2 takes: what people pay for at each sign-in has tests of its own. */
export const cheapPasswords: PasswordCost = { memory: 8, passes: 1, parallelism: 1 }

/**
 * The whole server on an in-memory database, with the users `admin` and `member`, without a port. It is closed with the
 * test, or with the file that starts it before all of its tests.
 */
export interface TestServer {
  app: FastifyInstance
  store: Store
  /** `jump`: milliseconds by which it was set ahead, which have not passed. */
  clock: { now: number; jump: number }
  /** The lines of the operator's log. */
  logged: string[]
  /** A browser that has not been here before. @param address of the client */
  browser(address?: string): Browser
}

interface Options {
  settings?: AppOptions['settings']
  site?: Partial<Site>
  dist?: string
  /** Where people can sign in beside here. */
  providers?: Providers
  /** Another server's data, as after a restart. */
  store?: Store
  audit?: AuditLog
  /** Where metrics over time are kept. Default: in memory, for a month. */
  history?: AppOptions['history']
  /** Makes the machines on its store and by its clock. Default: none reports. */
  machines?: (on: { store: Store; now: () => number }) => AppOptions['machines']
  tickMs?: AppOptions['tickMs']
  addressCheckMs?: AppOptions['addressCheckMs']
  pause?: AppOptions['pause']
  alertTimes?: AppOptions['alertTimes']
  connectionLimits?: AppOptions['connectionLimits']
  socketLimits?: AppOptions['socketLimits']
  replyLimits?: AppOptions['replyLimits']
  scrapeLimits?: AppOptions['scrapeLimits']
  /** Default: next to nothing. */
  passwordCost?: PasswordCost
  cutOff?: AppOptions['cutOff']
  /** Default: no terminals are recorded. */
  recordingsFolder?: string
  /** The cluster that this server leads. Default: that of its store, which has one on PostgreSQL alone. */
  cluster?: AppOptions['cluster']
}

export async function testServer({
  settings = { host: '127.0.0.1' },
  site,
  dist,
  providers,
  store,
  audit,
  history,
  machines,
  tickMs,
  addressCheckMs,
  pause,
  alertTimes,
  connectionLimits,
  socketLimits,
  replyLimits,
  scrapeLimits,
  passwordCost = cheapPasswords,
  cutOff,
  recordingsFolder,
  cluster,
}: Options = {}) {
  const serverStore = store ?? (await emptyStore())
  if (!store) await addUsers(serverStore)
  if (site) writeSite(serverStore, site)
  const clock = { now: Date.parse('2026-11-21T00:00:00Z'), jump: 0 }
  const now = () => clock.now
  const logged: string[] = []
  const parts = partsFor(serverStore, now)
  const app = await buildApp({
    ...parts,
    store: serverStore,
    settings,
    cutOff,
    cluster: cluster ?? parts.cluster,
    dist,
    log: logInto(logged),
    version: '1.2.3',
    providers,
    audit: audit ?? parts.audit,
    history: history ?? parts.history,
    machines: machines?.({ store: serverStore, now }),
    tickMs,
    addressCheckMs,
    pause,
    alertTimes,
    connectionLimits,
    socketLimits,
    replyLimits,
    scrapeLimits,
    passwordCost,
    recordingsFolder,
    now,
    monotonicNow: () => clock.now - clock.jump,
  })
  openServers.add(app)
  const server: TestServer = {
    app,
    store: serverStore,
    clock,
    logged,
    browser: (address) => createBrowser(app, address),
  }
  return server
}

/** A browser in which somebody has signed in. */
export async function signedIn(server: TestServer, username = 'admin', address?: string): Promise<Browser> {
  const browser = server.browser(address)
  const reply = await browser.signIn(username, password)
  if (!browser.cookies.has('nz-jwt')) throw new Error(`${username} could not sign in: ${reply.text}`)
  return browser
}

const passwordHash = hashPassword(password, cheapPasswords)

async function addUsers(store: Store): Promise<void> {
  const users = usersIn(store)
  const hash = await passwordHash
  for (const [role, username] of ['admin', 'member'].entries()) {
    addUser(users, { username, password: hash, role, now: Date.parse('2026-11-21T00:00:00Z') })
  }
}

export function logInto(lines: string[]): Log {
  return {
    info: (text) => lines.push(text),
    warn: (text) => lines.push(text),
    error: (text, cause) => lines.push(cause === undefined ? text : `${text} ${cause}`),
  }
}
