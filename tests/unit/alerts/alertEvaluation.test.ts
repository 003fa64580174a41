import { describe, expect, it } from 'vitest'
import { type MetricReport, metricValue } from '../../../src/domain/alerts/metricValue.ts'
import {
  addSample,
  emptyWindow,
  maxSamples,
  packWindow,
  unpackWindow,
} from '../../../src/domain/alerts/sampleWindow.ts'
import { alertFails, isOutside, samplesFail, secondsToNextEvaluation } from '../../../src/domain/alerts/thresholds.ts'

/** A report with every metric. */
const busy: MetricReport = {
  state: {
    cpu: 62.5,
    mem_used: 3_000,
    swap_used: 250,
    disk_used: 90,
    net_in_transfer: 7_000,
    net_out_transfer: 500,
    net_in_speed: 40,
    net_out_speed: 11,
    uptime: 3_600,
    load_1: 1.5,
    load_5: 0.75,
    load_15: 0.25,
    tcp_conn_count: 17,
    udp_conn_count: 4,
    process_count: 211,
    temperatures: [{ Temperature: 0 }, { Temperature: 41 }, { Temperature: 55.5 }, { Temperature: 12 }],
    gpu: [3, 88, 20],
  },
  host: { mem_total: 4_000, swap_total: 1_000, disk_total: 360 },
}

/** A report of an idle machine: metrics that are 0 are left out. */
const idle: MetricReport = { state: {}, host: {} }

describe('the metric value of a rule', () => {
  it.each([
    ['cpu', 62.5, 0],
    ['memory', 75, 0],
    ['swap', 25, 0],
    ['disk', 25, 0],
    ['net_in_speed', 40, 0],
    ['net_out_speed', 11, 0],
    ['net_all_speed', 51, 0],
    ['transfer_in', 7_000, 0],
    ['transfer_out', 500, 0],
    ['transfer_all', 7_500, 0],
    ['load1', 1.5, 0],
    ['load5', 0.75, 0],
    ['load15', 0.25, 0],
    ['tcp_conn_count', 17, 0],
    ['udp_conn_count', 4, 0],
    ['process_count', 211, 0],
    ['gpu_max', 88, undefined],
    ['temperature_max', 55.5, undefined],
    ['fan_speed', undefined, undefined],
    ['toString', undefined, undefined],
  ])('%s is %s on a busy machine and %s on an idle one', (type, ofBusy, ofIdle) => {
    expect(metricValue(type, busy)).toBe(ofBusy)
    expect(metricValue(type, idle)).toBe(ofIdle)
  })

  it('is undefined where all sensors report 0, and may be negative', () => {
    const cold = (...degrees: number[]): MetricReport => ({
      state: { temperatures: degrees.map((Temperature) => ({ Temperature })) },
      host: {},
    })
    expect(metricValue('temperature_max', cold(0, 0))).toBeUndefined()
    expect(metricValue('temperature_max', cold(-12, 0, -3))).toBe(-3)
  })
})

describe('a value', () => {
  it.each([
    [90.1, { max: 90 }, true],
    [90, { max: 90 }, false],
    [4.9, { min: 5 }, true],
    [5, { min: 5 }, false],
    [50, { min: 5, max: 90 }, false],
    [3, { min: 5, max: 90 }, true],
    [95, { min: 5, max: 90 }, true],
    [1e9, { min: 0, max: 0 }, false],
    [0, {}, false],
    [0, { min: 5 }, true],
    [-1, { max: -5 }, false],
    [-9, { min: -5 }, false],
  ])('%s is outside %o: %s', (value, bounds, outside) => {
    expect(isOutside(value, bounds)).toBe(outside)
  })
})

/** A window with samples given as text: `x` failed, `.` passed. */
function windowOf(samples: string, size: number) {
  const window = emptyWindow()
  for (const sample of samples) addSample(window, sample === 'x', size)
  return window
}

describe('a rule with its last samples', () => {
  // Computed by hand: more than 7 of 10, more than 2.1 of 3, more than 14 of 20.
  it.each([
    ['xxxxxxxxx', 10, undefined],
    ['xxxxxxxxxx', 10, true],
    ['xxxxxxx...', 10, false],
    ['xxxxxxxx..', 10, true],
    ['..xxxxxxxx', 10, true],
    ['.x.x.x.x.x', 10, false],
    ['..........xxxxxxx', 10, false],
    ['..........xxxxxxxx', 10, true],
    ['xxxxxxxxxx...', 10, false],
    ['xxxxxxxxxx..', 10, true],
    ['xxxxxxxxxx.xx.xx', 10, true],
    ['xxxxxxxxxx.xx.xx.', 10, false],
    ['xx', 3, undefined],
    ['xx.', 3, false],
    ['xxx', 3, true],
    ['.xx.xxx', 3, true],
    ['xxxxxxxxxxxxxx......', 20, false],
    ['xxxxxxxxxxxxxxx.....', 20, true],
    ['', 3, undefined],
  ])('%s of %i fails: %s', (samples, size, fails) => {
    expect(samplesFail(windowOf(samples, size), size, false)).toBe(fails)
  })

  it.each([
    ['xx', 3, undefined],
    ['xxx', 3, true],
    ['xxxxxxxxx.', 10, false],
    ['.xxxxxxxxx', 10, false],
    ['.xxxxxxxxxx', 10, true],
    ['xxxxxxxxxx.', 10, false],
  ])('for offline machines, %s of %i fails: %s', (samples, size, fails) => {
    expect(samplesFail(windowOf(samples, size), size, true)).toBe(fails)
  })

  it('gives the same result after a restart at any sample', () => {
    const samples = '..xxx.xxxxxxxx.x..xxxxxxxxxxxxxx............xx'
    for (let stop = 0; stop <= samples.length; stop++) {
      const packed = packWindow(windowOf(samples.slice(0, stop), 10), 10)
      const window = unpackWindow(JSON.parse(JSON.stringify(packed)), 10)
      for (const sample of samples.slice(stop)) addSample(window, sample === 'x', 10)
      expect(samplesFail(window, 10, false)).toBe(false)
      expect(packWindow(window, 10)).toEqual([8, 2])
    }
  })

  it('is saved as run lengths, oldest first', () => {
    expect(packWindow(windowOf('..xxx.', 10), 10)).toEqual([2, 3, 1])
    expect(packWindow(windowOf('xx.', 10), 10)).toEqual([0, 2, 1])
    expect(packWindow(windowOf('xxxxx', 5), 5)).toEqual([0, 5])
    expect(packWindow(windowOf('', 5), 5)).toEqual([0])
  })

  it('needs a bit for each sample only where samples differ', () => {
    const window = emptyWindow()
    for (let sample = 0; sample < maxSamples; sample++) addSample(window, false, maxSamples)
    expect(window.bits).toBeUndefined()
    addSample(window, true, maxSamples)
    expect(window.bits?.length).toBe(3_600)
    for (let sample = 0; sample < maxSamples; sample++) addSample(window, false, maxSamples)
    expect(window).toEqual({ count: 28_800, failed: 0, next: expect.any(Number), bits: undefined })
  })
})

describe('an alert of several rules', () => {
  it.each([
    [[true, true], true],
    [[true, false], false],
    [[false, undefined], false],
    [[true, undefined], undefined],
    [[true], true],
  ])('with the rule results %o fails: %s', (results, fails) => {
    expect(alertFails(results)).toBe(fails)
  })
})

describe('the traffic of a cycle', () => {
  it.each([
    [0, { max: 1_000 }, 1_800],
    [500, { max: 1_000 }, 900],
    [800, { max: 1_000 }, 360],
    [900, { max: 1_000 }, 180],
    [2_000, { max: 1_000 }, 180],
    [500, { min: 1_000 }, 180],
    [500, {}, 180],
  ])('of %i bytes with the bounds %o is evaluated again after %i s', (value, bounds, seconds) => {
    expect(secondsToNextEvaluation(value, bounds)).toBe(seconds)
  })
})
