import '../inspect/inspectPlugin.ts'
import '../inspect/questions/questionsPlugin.ts'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { server } from '../../src/schemas/server.ts'
import { ownOrigin } from '../auth/addresses/clientAddress.ts'
import type { Store } from '../db/store.ts'
import { entityTable } from '../entities/entityTable.ts'
import type { Log } from '../log.ts'
import type { Settings } from '../settings.ts'
import { onSiteChange, readSite } from '../site/site.ts'
import { createRunningCalls } from './callTool.ts'
import type { McpServices } from './handleRequest.ts'
import { registerMcpRoutes } from './mcpRoutes.ts'
import { type AskRoute, entityTools } from './tools/entityTools.ts'
import { fileTools, inspectTools } from './tools/inspectTools.ts'
import { operationTools } from './tools/operationTools.ts'
import { questionTools } from './tools/questionTools.ts'
import { serverTools, whoami } from './tools/serverTools.ts'
import { type Caller, cancelledFailure, denied, switchedOffFailure, type Tool, ToolFailure } from './tools/tool.ts'
import { createOneTimeUrls, urlTools } from './tools/urlTools.ts'
import { registerTransferRoutes } from './transferRoutes.ts'

interface McpOptions {
  store: Store
  log: Pick<Log, 'error'>
  /** Version of this server. */
  version: string
  settings: Pick<Settings, 'publicUrl'>
  /** The clock, in milliseconds since 1970. */
  now: () => number
}

/** Tools for programs with an API token, by the Model Context Protocol (docs/contract/MCP.md). Off by default. */
export const mcpPlugin = fp(
  async (app: FastifyInstance, { store, log, version, now, settings }: McpOptions) => {
    const { auth, audit, machines, serverAccess: access } = app
    const servers = entityTable(store, server)
    const running = createRunningCalls(log)
    const isEnabled = () => readSite(store).enable_mcp === true
    const tools = new Map<string, Tool>()
    const add = (added: readonly Tool[]) => {
      for (const tool of added) tools.set(tool.name, tool)
    }
    add([
      whoami,
      ...serverTools({ servers, machines, access }),
      ...operationTools({ servers, machines }),
      ...fileTools({ servers, inspector: app.inspector }),
      ...inspectTools({ servers, inspector: app.inspector, snapshots: app.snapshots }),
      ...questionTools({
        questions: app.questions,
        personNow: ({ person }) => auth.current({ person }).person,
        log,
      }),
    ])

    const { isAlive } = auth
    const urls = createOneTimeUrls(isAlive, now)
    const originFor = ({ request }: Caller) =>
      ownOrigin(request, { publicUrl: settings.publicUrl, realIpHeader: readSite(store).web_real_ip_header })
    add(urlTools({ servers, urls, originFor, now }))

    // Every entity whose list is registered later has tools as well.
    const ask = createAskRoute(app)
    app.addHook('onRoute', ({ config }) => {
      if (config?.listedEntity) add(entityTools(config.listedEntity, ask))
    })

    const services: McpServices = { tools, version, audit, log, running, isEnabled, isAlive, now }
    const close = registerMcpRoutes(app, services)
    registerTransferRoutes(app, { ...services, urls, servers, machines })

    const stopListening = onSiteChange(store, () => {
      if (isEnabled()) return
      running.stop(switchedOffFailure())
      urls.clear()
    })
    app.addHook('preClose', async () => {
      stopListening()
      running.stop(cancelledFailure())
      await close()
    })
  },
  { name: 'mcp', dependencies: ['machines', 'audit', 'site', 'snapshots', 'questions'] },
)

/** Headers that are about the body of the caller's request, and what its client can read. */
const ofTheBody = ['content-length', 'content-type', 'transfer-encoding', 'accept-encoding', 'connection', 'expect']

/** Asks routes without a connection, with the headers and the address of the caller's request. */
const createAskRoute =
  (app: FastifyInstance): AskRoute =>
  async ({ request }, path, query) => {
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !ofTheBody.includes(name)))
    const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
    const reply = await app.inject({
      method: 'GET',
      url: path,
      headers,
      query: given,
      remoteAddress: request.socket.remoteAddress,
    })
    const { data, error } = parsed(reply.payload)
    if (error === 'permission denied') throw denied()
    if (error !== undefined) throw new ToolFailure('permission_denied', error)
    if (reply.statusCode !== 200) throw new Error(`${path} answered with ${reply.statusCode}`)
    return data
  }

function parsed(text: string): { data?: unknown; error?: string } {
  try {
    return JSON.parse(text) as { data?: unknown; error?: string }
  } catch {
    return {}
  }
}
