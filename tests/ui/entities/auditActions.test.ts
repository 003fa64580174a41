import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { expect, it } from 'vitest'
import { fillText } from '../../../i18n/fillText.ts'
import { buildApp, plugins } from '../../../server/app.ts'
import { openStore } from '../../../server/db/store.ts'
import type { Translate } from '../../../src/components/format/format.ts'
import { actionText } from '../../../src/resources/audit/columns.tsx'
import { english } from '../../support/console/texts.ts'
import { openServers } from '../../support/server/openServers.ts'

const translate: Translate = (key, args = {}) => {
  const text = english.get(key)
  return text === undefined ? String(args._ ?? key) : fillText(text, args)
}

const said = (action: string) => actionText({ action } as Parameters<typeof actionText>[0], translate)

/** The actions of all calls. */
async function actionsOfCalls(): Promise<string[]> {
  const actions: string[] = []
  const routesAreSeen = fp(async (app: FastifyInstance) => {
    app.addHook('onRoute', ({ config }) => {
      if (config?.auditAction) actions.push(config.auditAction)
    })
  })
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const options = { store: openStore(':memory:'), log, settings: { host: '127.0.0.1' }, version: '1.2.3' }
  openServers.add(await buildApp(options, [routesAreSeen, ...plugins]))
  return actions
}

/** The actions of lines that the server writes besides: `action: 'user.create'`, `note(terminal, 'recording.end'`. */
function actionsInSources(): string[] {
  const sources = import.meta.glob<string>('../../../server/**/*.ts', { query: '?raw', import: 'default', eager: true })
  const written = /\b(?:action: |(?:note|line|send)\((?:\w+, )?)['`]((?:\$\{[\w.]*kind\}|[a-z\d-]+)\.[a-z-]+)['`]/g
  const actions = Object.values(sources).flatMap((source) =>
    [...source.matchAll(written)].map(([, action = '']) => action),
  )
  // What is recorded of terminals and of files alike.
  return actions.flatMap((action) => ['terminal', 'file'].map((kind) => action.replace(/\$\{[\w.]*kind\}/, kind)))
}

it('The audit log has words for everything that the server writes into it', async () => {
  const [calls, lines] = [await actionsOfCalls(), actionsInSources()]
  expect(calls).toEqual(expect.arrayContaining(['team.create', 'cron.run', 'mute.update']))
  expect(lines).toEqual(
    expect.arrayContaining(['user.wrong-password', 'audit.lost', 'recording.end', 'file.sent', 'terminal.refused']),
  )
  const all = [...new Set([...calls, ...lines])]
  expect(all.filter((action) => said(action) === action)).toEqual([])
})

it('The audit log tells files in another folder from servers of another user', () => {
  expect(['file.move', 'server.move'].map(said)).toEqual(['Files: moved', 'Server |||| Servers: moved to another user'])
})
