import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { labelText, type Metric, type Sample, writeMetrics } from '../../../server/metrics/exposition.ts'
import { parseOpenMetrics } from '../../support/metrics/openMetrics.ts'

const gauge = (samples: Metric['samples']): Metric => ({ name: 'a_bytes', type: 'gauge', help: 'Help', samples })

async function textOf(...metrics: Metric[]): Promise<string> {
  let text = ''
  for await (const chunk of writeMetrics(metrics, 'openmetrics')) text += chunk
  return text
}

describe('The text', () => {
  it('has a heading with the unit, and numbers as they are', async () => {
    const values = [0, -1.5, 1e21, 1e-9, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    const samples = values.map((value, index) => [labelText({ index }), value] as const)
    expect((await textOf(gauge(() => samples))).split('\n')).toEqual([
      '# TYPE a_bytes gauge',
      '# UNIT a_bytes bytes',
      '# HELP a_bytes Help',
      ...['0', '-1.5', '1e+21', '1e-9', '9007199254740992', 'NaN', '+Inf', '-Inf'].map(
        (text, index) => `a_bytes{index="${index}"} ${text}`,
      ),
      '# EOF',
      '',
    ])
  })

  it('of a counter names the family without _total, and escapes what helps', async () => {
    const counter: Metric = { name: 'a_total', type: 'counter', help: 'Of "a"\\\n b', samples: () => [['', 1]] }
    const text = await textOf(counter)
    expect(text).toBe('# TYPE a counter\n# HELP a Of \\"a\\"\\\\\\n b\na_total 1\n# EOF\n')
    expect(parseOpenMetrics(text)).toMatchObject([{ name: 'a', help: 'Of "a"\\\n b' }])
  })

  it('is written no further than somebody reads', async () => {
    let written = 0
    function* samples(): Generator<Sample> {
      for (; written < 1_000_000; written++) yield [labelText({ written }), written]
    }
    const highWaterMark = 256 * 1024
    const text = Readable.from(writeMetrics([gauge(samples)], 'openmetrics'), { objectMode: false, highWaterMark })
    text.once('readable', () => {})
    // As often as the whole would need.
    for (let turn = 0; turn < 2000; turn++) await nextTurn()
    expect(written).toBeGreaterThan(1000)
    expect(written).toBeLessThan(20_000)
    text.destroy()
  })

  it('lets others work while it is written', async () => {
    const many = Array.from({ length: 100_000 }, (_, index): Sample => [labelText({ index }), index])
    let turns = 0
    let isOver = false
    const count = () => {
      turns++
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    await textOf(
      gauge(() => many),
      { ...gauge(() => many), name: 'b' },
    )
    isOver = true
    expect(turns).toBeGreaterThan(1)
  })
})

const heading = '# TYPE a gauge\n# HELP a Help\n'

describe('The parser of the tests refuses', () => {
  it.each([
    ['a text that breaks off', `${heading}a 1\n`],
    ['a text behind the end', `${heading}a 1\n# EOF\n\n`],
    ['a sample without a heading', 'a 1\n# EOF\n'],
    ['a family twice', `${heading}a 1\n${heading}a 2\n# EOF\n`],
    ['a sample twice', `${heading}a{x="1",y="2"} 1\na{y="2",x="1"} 2\n# EOF\n`],
    ['a label twice', `${heading}a{x="1",x="2"} 1\n# EOF\n`],
    ['a sample of another family', `${heading}b 1\n# EOF\n`],
    ['a counter without _total', '# TYPE a counter\n# HELP a Help\na 1\n# EOF\n'],
    ['a unit that the name does not end in', '# TYPE a gauge\n# UNIT a bytes\n# HELP a Help\na 1\n# EOF\n'],
    ['a quote that is not escaped', `${heading}a{x="1"2"} 1\n# EOF\n`],
    ['a backslash that is not escaped', `${heading}a{x="\\d"} 1\n# EOF\n`],
    ['a line break in a label', `${heading}a{x="\n"} 1\n# EOF\n`],
    ['a number that is none', `${heading}a undefined\n# EOF\n`],
    ['an empty line', `${heading}a 1\n\n# EOF\n`],
  ])('%s', (_, text) => {
    expect(() => parseOpenMetrics(text)).toThrow()
  })
})
