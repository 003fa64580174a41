import { describe, expect, it } from 'vitest'
import type { Trouble } from '../../../src/domain/trouble/trouble.ts'
import { layOutWall, type WallContent } from '../../../src/resources/server/wall/layOutWall.ts'
import { wallTiles } from '../../../src/resources/server/wall/Wall.tsx'

const screens = [
  [1920, 1080],
  [3840, 2160],
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const
const fleets = [5, 800, 5000].flatMap((servers) => [0, 3, 300].map((wrong) => [servers, Math.min(servers, wrong)]))

/** Pixels from the top to the end of the last line. */
function heightOf({ troubles, sections }: WallContent, layout: ReturnType<typeof layOutWall>) {
  const lines = (count: number, columns: number) => Math.ceil(count / columns)
  const tiles = [layout.more, ...layout.sections].reduce((sum, { shown, rest }) => sum + shown + Math.min(1, rest), 0)
  const names = sections.length > 1 ? layout.sections.length : 0
  expect(layout.large.shown).toBeLessThanOrEqual(troubles)
  return (
    layout.unit * 4 +
    lines(layout.large.shown, layout.large.columns) * layout.large.height +
    lines(tiles + names, layout.small.columns) * layout.small.height
  )
}

describe('The wall', () => {
  it.each(fleets)(
    'shows %i servers with %i problems on every screen, without a line that is cut off',
    (servers, wrong) => {
      for (const [width, height] of screens) {
        for (const groups of [1, 8, 40]) {
          const well = servers - wrong
          const sections = Array.from(
            { length: groups },
            (_, index) => Math.floor(well / groups) + (index < well % groups ? 1 : 0),
          ).filter((count) => count > 0)
          const content = { width, height, troubles: wrong, sections }
          const layout = layOutWall(content)
          expect(heightOf(content, layout), `${width} px, ${groups} groups`).toBeLessThanOrEqual(height)
          // Trouble first: what is well has no tile before all that is wrong has one, or a large part of the screen.
          if (wrong > 0) expect(layout.large.shown).toBeGreaterThan(0)
          expect(layout.large.height).toBeGreaterThan(layout.small.height)
        }
      }
    },
  )

  it('shows everything where there is room, and says what is left where there is not', () => {
    const few = layOutWall({ width: 1920, height: 1080, troubles: 2, sections: [3] })
    expect(few).toMatchObject({ large: { shown: 2 }, more: { shown: 0, rest: 0 }, sections: [{ shown: 3, rest: 0 }] })
    const many = layOutWall({ width: 1920, height: 1080, troubles: 3, sections: [3000, 1997] })
    const counts = many.sections.map(({ shown, rest }) => shown + rest)
    expect(counts).toEqual([3000, 1997])
    expect(many.sections[0]?.shown).toBeGreaterThan(50)
    const storm = layOutWall({ width: 1920, height: 1080, troubles: 300, sections: [4700] })
    expect(storm.large.shown).toBeGreaterThanOrEqual(24)
    expect(storm.large.shown + storm.more.shown + storm.more.rest).toBe(300)
  })

  it('has texts of trouble that are 20 px and more on a screen of 1080 lines', () => {
    const { large } = layOutWall({ width: 1920, height: 1080, troubles: 300, sections: [4700] })
    // The smallest of them is 0.16 of its tile.
    expect(large.height * 0.16).toBeGreaterThanOrEqual(20)
  })

  it('has each server once, with the worst of it, and other trouble only where no filter is', () => {
    const rows = ['web-10', 'web-9', 'db-1'].map((name, index) => ({ id: index + 1, name })) as never
    const base = { name: '', severity: 'critical' } as const
    const troubles: Trouble[] = [
      { ...base, key: 'server 1', kind: 'server_offline', server_id: 1 },
      { ...base, key: 'service 1', kind: 'service_down', service_id: 1, problem: '' },
      { ...base, key: 'disk 1', kind: 'disk_full', severity: 'alarm', server_id: 1, percent: 99 },
      { ...base, key: 'server 7', kind: 'server_offline', server_id: 7 },
      { ...base, key: 'server 3', kind: 'server_offline', severity: 'silenced', server_id: 3 },
    ]
    const all = wallTiles(rows, troubles, [], false)
    expect(all.troubles.map(({ key }) => key)).toEqual(['server 1', 'service 1'])
    expect(all.sections.map(({ rows }) => rows.map(({ name, trouble }) => [name, trouble?.key]))).toEqual([
      [
        ['db-1', 'server 3'],
        ['web-9', undefined],
      ],
    ])
    expect(wallTiles(rows, troubles, [], true).troubles.map(({ key }) => key)).toEqual(['server 1'])
  })
})
