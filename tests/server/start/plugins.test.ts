import { describe, expect, it } from 'vitest'
import { buildApp, plugins } from '../../../server/app.ts'
import { openStore } from '../../../server/db/store.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }
const build = (registered: typeof plugins) =>
  buildApp({ store: openStore(':memory:'), log, settings: { host: '127.0.0.1' }, version: '1.2.3' }, registered)

const nameOf = (plugin: (typeof plugins)[number]) =>
  (plugin as unknown as Record<symbol, { name: string }>)[Symbol.for('plugin-meta')]?.name ?? ''
const names = plugins.map(nameOf)

describe('The plugins of the server', () => {
  it('start in the order in which they stand', async () => {
    const app = await build(plugins)
    expect(names.filter((name) => !app.hasPlugin(name))).toEqual([])
    await app.close()
  })

  it.each([
    ['security', 'changes'],
    ['machines', 'nat'],
    ['tasks', 'alerts'],
    ['ddns', 'incident-sources'],
  ])('are refused without %s in a sentence that names who needs it', async (missing, needs) => {
    const others = plugins.filter((plugin) => nameOf(plugin) !== missing)
    await expect(build(others)).rejects.toThrow(`The dependency '${missing}' of plugin '${needs}' is not registered`)
  })

  it('are refused when one with routes comes before the security hooks', async () => {
    const misplaced = [...plugins].sort((one) => (nameOf(one) === 'site' ? -1 : 0))
    expect(nameOf(misplaced[0] as (typeof plugins)[number])).toBe('site')
    await expect(build(misplaced)).rejects.toThrow("The dependency 'security' of plugin 'site' is not registered")
  })
})
