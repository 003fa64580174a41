import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { metricsServer } from '../../support/metrics/metricsServer.ts'
import { root } from '../../support/root.ts'

const read = (file: string) => readFileSync(join(root, 'docs/guides', file), 'utf8')
const guide = read('prometheus.md')

interface Panel {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string }[]
}

const dashboard = JSON.parse(read('grafana-dashboard.json')) as {
  panels: Panel[]
  templating: { list: { name: string; definition?: string }[] }
}

/** The names of metrics in a text. */
const metricsIn = (text: string) => new Set(text.match(/\b(?:wheelhouse|process|nodejs)_[a-z\d_]+\b/g))

/** A cluster that the server leads, which has metrics of its own. */
const cluster = {
  key: Buffer.alloc(32),
  status: async () => ({ term: 1, nodes: [], changes: [] }),
  load: () => ({ term: 1, waiting: 0, silentMs: 0 }),
}

/** The names of all metrics that are exported, each with its labels: those of a server that has everything. */
async function exported() {
  const { server, hosts, scrape, create } = await metricsServer({ machines: ['web-1'], cluster })
  const temperatures = [{ Name: 'core', Temperature: 45 }]
  hosts[0]?.report({ state: { temperatures, gpu: [1] }, at: new Date(server.clock.now) })
  await create('server-group', { name: 'Web', servers: [1] })
  const { families } = await scrape()
  return new Map(
    families.map(({ name, type, samples }) => [
      type === 'counter' ? `${name}_total` : name,
      new Set(samples.flatMap(({ labels }) => Object.keys(labels))),
    ]),
  )
}

const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const variables = dashboard.templating.list

it('the dashboard asks for metrics that exist', async () => {
  const metrics = await exported()
  const asked = metricsIn([...queries, ...variables.map(({ definition = '' }) => definition)].join('\n'))
  expect(asked.size).toBeGreaterThan(30)
  expect([...asked].filter((name) => !metrics.has(name))).toEqual([])
})

it('the guide names every metric, and no other', async () => {
  const metrics = await exported()
  const named = metricsIn(guide)
  expect([...named].filter((name) => !metrics.has(name))).toEqual([])
  expect([...metrics.keys()].filter((name) => !named.has(name))).toEqual([])
})

it('the guide has every label in the row of its metric', async () => {
  const rows = guide.split('\n').filter((line) => line.startsWith('| `'))
  const common = new Set(['id', 'name'])
  for (const [metric, labels] of await exported()) {
    const row = rows.find((line) => line.includes(`\`${metric}\``)) ?? ''
    const [, , column = ''] = row.split('|')
    const named = [...column.matchAll(/`(\w+)`/g)].map(([, label = '']) => label)
    expect([metric, named.sort()]).toEqual([metric, [...labels].filter((label) => !common.has(label)).sort()])
  }
})

it('the guide says how many series there are', async () => {
  const { server, hosts, scrape } = await metricsServer({ machines: ['web-1'], cluster })
  hosts[0]?.report({ host: { mem_total: 1, swap_total: 1, disk_total: 1 }, at: new Date(server.clock.now) })
  const samples = (await scrape()).families.flatMap((family) => family.samples)
  const ofServer = samples.filter(({ labels }) => labels.id === '1').length
  expect(guide).toContain(`Count on ${ofServer} series for a server and one more`)
  const ofCluster = samples.filter(({ name }) => name.startsWith('wheelhouse_cluster_')).length
  expect(guide).toContain(`and ${samples.length - ofServer - ofCluster} for Wheelhouse, ${ofCluster} more in a cluster`)
})

it('labels that the dashboard groups by or shows are those of its metrics', async () => {
  const exportedLabels = new Set([...(await exported()).values()].flatMap((labels) => [...labels]))
  const written = JSON.stringify(dashboard.panels)
  const grouped = queries.flatMap((query) =>
    [...query.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */)),
  )
  const shown = [...written.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
  expect(shown.length).toBeGreaterThan(10)
  expect([...grouped, ...shown].filter((label) => label !== 'instance' && !exportedLabels.has(label))).toEqual([])
  const used = new Set([...queries.join(' ').matchAll(/\$(\w+)/g)].map(([, name = '']) => name))
  for (const ofGrafana of ['__rate_interval', '__range']) used.delete(ofGrafana)
  expect([...used].filter((name) => !variables.some((variable) => variable.name === name))).toEqual([])
})

it('no two panels of the dashboard have one id or one place', () => {
  const { panels } = dashboard
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([])
})

it('the configuration and the rules of the guide are YAML, each alert with a sentence', () => {
  const blocks = [...guide.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = '']) => parse(text))
  expect(blocks.map((block) => Object.keys(block))).toEqual([
    ['global', 'rule_files', 'scrape_configs'],
    ['scrape_configs'],
    ['metric_relabel_configs'],
    ['groups'],
  ])
  const rules = blocks[3].groups.flatMap((group: { rules: object[] }) => group.rules) as Record<string, never>[]
  for (const rule of rules) {
    expect(rule).toMatchObject({ alert: expect.any(String), expr: expect.any(String) })
    expect(rule.annotations).toMatchObject({ summary: expect.stringMatching(/\{\{ \$/) })
  }
})
