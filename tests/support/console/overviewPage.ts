import { screen, within } from '@testing-library/react'
import type { FastifyInstance } from 'fastify'
import { vi } from 'vitest'
import { FakePlot } from '../fakes/fakePlot.ts'
import { renderConsole } from './renderConsole.tsx'

/** Forgets the charts of the test before; jsdom has no way to observe sizes. */
export function resetPlots(): void {
  FakePlot.newest = undefined
  FakePlot.shown = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
}

/** What the server answers to a GET: its data, or a `refusal`. */
export type Answers = Record<string, unknown>
export const refusal = (error: string, status = 200) => ({ isRefusal: true, error, status })

export const minute = 60_000
export const hour = 60 * minute

/** The service of which there is a page. */
export const site = { name: 'Site', type: 3, target: '127.0.0.1:1', duration: 45 }

interface OpenOptions {
  locale?: 'de-DE'
  role?: 'member'
  records?: Record<string, readonly Record<string, unknown>[]>
  /** Appended to the address of the page. */
  search?: string
}

export async function openOverview(what: 'service' | 'server', answers: Answers, options: OpenOptions = {}) {
  const { locale, role, records = {}, search = '' } = options
  const asked: string[] = []
  const rendered = await renderConsole({
    path: `/dashboard/${what}/1/overview${search}`,
    locale,
    role,
    records: {
      service: [site],
      server: [{ name: 'web-1', uuid: 'u-1' }],
      ...records,
    },
    prepare: (app: FastifyInstance) => {
      // Of servers before v2.0.0: calls without a route are answered before the hook.
      app.get('/api/v1/service/:id', (_request, reply) => reply.code(404).send({ error: '404 Not Found' }))
      app.addHook('preHandler', async ({ url, method }, reply) => {
        const path = url.replace('/api/v1/', '')
        const key = Object.keys(answers).find((one) => (one.includes('/') ? path.startsWith(one) : path === one))
        if (method !== 'GET' || key === undefined) return
        asked.push(path)
        const answer = answers[key] as Partial<ReturnType<typeof refusal>>
        if (answer?.isRefusal) return reply.code(answer.status ?? 200).send({ error: answer.error })
        return reply.send({ success: true, data: answer })
      })
    },
  })
  await screen.findByRole('heading', { level: 1, name: what === 'service' ? 'Site' : 'web-1' })
  return { ...rendered, page: within(screen.getByRole('main')), asked }
}

/** The words of the tables below the charts, row by row. */
export const rows = () =>
  [...document.querySelectorAll<HTMLTableRowElement>('main tbody tr')].map((row) =>
    [...row.cells].map(({ textContent }) => textContent ?? ''),
  )

/** The statistics of the charts with one line: its name, then the figures. @param within where the charts are */
export const figures = (within: ParentNode = document) =>
  [...within.querySelectorAll('section:has(input[type=range]):not(:has(table)):not(:has(section))')].map((chart) => [
    (chart.querySelector('strong') ?? chart.querySelector('h3'))?.textContent ?? '',
    ...[...chart.querySelectorAll('dd')].map(({ textContent }) => textContent ?? ''),
  ])

/** The entries of a panel of the page. */
export const entriesOf = (panel: string) =>
  within(screen.getByRole('region', { name: panel }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
