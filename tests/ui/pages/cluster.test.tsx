import '@testing-library/jest-dom/vitest'
import { screen, within } from '@testing-library/react'
import type { FastifyInstance } from 'fastify'
import { expect, it } from 'vitest'
import type { ClusterNodes } from '../../../src/schemas/endpoints/clusterEndpoints.ts'
import { alterReplies } from '../../support/console/alterReplies.ts'
import { renderConsole } from '../../support/console/renderConsole.tsx'

const path = '/dashboard/settings/cluster'
const cluster: ClusterNodes = {
  term: 7,
  nodes: [
    { id: 'a', address: '10.0.0.5:8009', leader: true, version: '1.2.3', since: '2026-11-20T10:00:00Z', lag: 0 },
    { id: 'b', address: '10.0.0.6:8009', leader: false, version: '1.2.4', since: '2026-11-21T10:00:00Z', lag: 1200 },
  ],
  changes: [
    { term: 7, at: '2026-11-21T09:00:00Z', node: 'a', address: '10.0.0.5:8009' },
    { term: 6, at: '2026-11-20T09:00:00Z', node: 'b', address: '10.0.0.6:8009' },
  ],
}

/** As a server that shares its database with another one. */
const ofCluster = (app: FastifyInstance) => {
  alterReplies('setting', (data) => {
    const { wheelhouse } = data as { wheelhouse: object }
    return { ...(data as object), wheelhouse: { ...wheelhouse, cluster: true } }
  })(app)
  app.get('/api/v1/wheelhouse/cluster', () => ({ success: true, data: cluster }))
}

it('shows the servers that share a database, and who led before', async () => {
  await renderConsole({ path, prepare: ofCluster })
  const rows = within(await screen.findByRole('region', { name: 'Servers' })).getAllByRole('row')
  const cellsOf = (row: HTMLElement) =>
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)
  expect(rows.slice(1).map((row) => cellsOf(row).filter((_, column) => column !== 3))).toEqual([
    ['10.0.0.5:8009', 'Leads', '1.2.3', '0'],
    ['10.0.0.6:8009', 'Follows', '1.2.4', '1,200'],
  ])
  const changes = within(screen.getByRole('region', { name: 'Changes of the leader' })).getAllByRole('row')
  expect(changes.slice(1).map((row) => cellsOf(row).slice(1))).toEqual([
    ['10.0.0.5:8009', '7'],
    ['10.0.0.6:8009', '6'],
  ])
  expect(screen.getByRole('link', { name: 'Cluster' })).toHaveAttribute('aria-current', 'page')
})

it('is no tab of a server that has its database for itself', async () => {
  await renderConsole({ path: '/dashboard/settings' })
  await screen.findByRole('link', { name: 'Security' })
  expect(screen.queryByRole('link', { name: 'Cluster' })).toBeNull()
})

it('says to an administrator that this server runs without others', async () => {
  await renderConsole({ path })
  const main = within(await screen.findByRole('main'))
  await main.findByText(/^This server has its database for itself/)
  expect(main.getByRole('heading', { name: 'Cluster' })).toBeVisible()
  expect(main.queryByText(/administrators only/)).toBeNull()
})
