import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Log } from '../log.ts'
import type { Settings } from '../settings.ts'
import { registerCompression } from './compressReplies.ts'
import { registerErrorHandler, registerNotFoundHandler, waitForDatabase } from './errorReplies.ts'
import type { WarnRarely } from './rareWarning.ts'
import { answerRepeatedRequests } from './repeatedRequests.ts'
import { createRequestLimits, registerLongReplies, type SocketLimits, type UnreadLimits } from './requestLimits.ts'
import { registerSecurityHooks } from './securityHooks.ts'
import {
  inlineScripts,
  isConsoleBuilt,
  isConsolePath,
  registerApiDocs,
  registerStaticFiles,
  scriptHash,
} from './staticFiles.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether a proxy was seen whose address headers are not read. */
    hasUnreadProxyHeader(): boolean
    /** The inline script of the console's page that picks the theme; the policy allows it in every page of ours. */
    themeScript: string | undefined
    /** Asked before a page of the console is sent: each may answer in its place. @returns whether it did */
    beforePages: ((request: FastifyRequest, reply: FastifyReply) => Promise<boolean>)[]
  }
}

interface SecurityOptions {
  log: Log
  settings: Pick<Settings, 'host' | 'publicUrl'>
  /** Folder of the built console. Without it only the API is served. */
  dist?: string
  warnRarely: WarnRarely
  socketLimits?: SocketLimits
  replyLimits?: Partial<UnreadLimits>
}

/**
 * What every request passes before a route: host name, origin, blocked address, security headers; then the replies to
 * errors and to unknown paths, and the console's own files. The hooks of WebSockets come before it, in `http`: they
 * have to see an upgrade that is refused here, or its connection would stay open.
 */
export const securityPlugin = fp(
  async (app: FastifyInstance, { log, settings, dist, warnRarely, socketLimits, replyLimits }: SecurityOptions) => {
    const hasConsole = dist !== undefined && isConsoleBuilt(dist)
    const scripts = hasConsole ? inlineScripts(dist) : []
    const scriptHashes = scripts.map(scriptHash)
    app.decorate('themeScript', scripts[0])
    const limits = createRequestLimits(warnRarely, socketLimits, replyLimits)
    const hooks = registerSecurityHooks(app, { auth: app.auth, log, settings, scriptHashes, limits })
    app.decorate('hasUnreadProxyHeader', hooks.hasUnreadProxyHeader)
    answerRepeatedRequests(app)
    registerCompression(app)
    registerErrorHandler(app, log)
    waitForDatabase(app, app.auth.store)
    registerPageHook(app)
    registerNotFoundHandler(app, hasConsole)
    if (hasConsole) {
      await registerStaticFiles(app, dist)
      registerApiDocs(app)
    }
    registerLongReplies(app, limits)
  },
  { name: 'security', dependencies: ['http', 'auth'] },
)

/** In front of the page, which is sent by a hook, too. One that has answered does not go on, as there. */
function registerPageHook(app: FastifyInstance): void {
  const asked: FastifyInstance['beforePages'] = []
  app.decorate('beforePages', asked)
  async function isAnswered(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    for (const ask of asked) if (await ask(request, reply)) return true
    return false
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (asked.length === 0 || !isPage(request)) return done()
    isAnswered(request, reply).then((answered) => {
      if (!answered) done()
    }, done)
  })
}

/** Whether a browser opens a page of the console, and does not load a part of one. */
const isPage = ({ method, url, headers }: FastifyRequest) =>
  method === 'GET' && isConsolePath(method, url) && (headers.accept ?? '').includes('text/html')
