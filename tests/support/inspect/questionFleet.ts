import { expect, vi } from 'vitest'
import { entityTable } from '../../../server/entities/entityTable.ts'
import type { ExecOrder, ExecResult } from '../../../server/machines/hosts/operations.ts'
import { createMachines } from '../../../server/machines/machines.ts'
import type { QuestionState } from '../../../src/schemas/inspect/question.ts'
import { server as serverEntity } from '../../../src/schemas/server.ts'
import { addHost } from '../server/mcpServer.ts'
import { signedIn, testServer } from '../server/testServer.ts'

export type Exec = (order: ExecOrder, signal: AbortSignal) => Promise<ExecResult>

/** So many machines that are online. @param exec how each answers. Default: as this machine does */
export async function questionFleet(count: number, exec?: (index: number) => Exec) {
  const server = await testServer({ machines: createMachines })
  const hosts = Array.from({ length: count }, (_, index) => {
    const host = addHost(server, { uuid: `machine-${index}`, name: `web-${index}` })
    if (exec) host.operations.exec = exec(index)
    return host
  })
  const rows = entityTable(server.store, serverEntity)
  const ids = rows.all().map(({ id }) => id)
  const admin = await signedIn(server)

  async function post(path: string, body?: object, browser = admin) {
    const reply = await browser.call('POST', `wheelhouse/questions${path}`, { body })
    return reply.body as { data?: { id: string }; error?: string; success?: boolean }
  }
  async function look(id: string, after = 0, browser = admin) {
    const { body } = await browser.get(`wheelhouse/questions/${id}?after=${after}`)
    return body as { data: QuestionState; error?: string }
  }
  return {
    server,
    hosts,
    rows,
    ids,
    admin,
    post,
    look,
    async ask(kind: string, text: string, more: object = {}) {
      const path = kind === 'command' ? '/command' : ''
      const { data, error } = await post(path, { ...(kind !== 'command' && { kind }), text, servers: ids, ...more })
      if (!data) throw new Error(error)
      return data.id
    },
    /** What it says when it has ended, and all answers are there. */
    end: (id: string) =>
      vi.waitFor(async () => {
        const { data } = await look(id)
        expect(data.done).toBe(data.total)
        expect(data.ended).toBeDefined()
        return data
      }),
  }
}
