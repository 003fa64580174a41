import 'uplot/dist/uPlot.min.css'
import UPlot from 'uplot'
import { colours, fonts, type Scheme } from '../../theme/tokens.ts'
import type { AlignedSeries, TimeRange } from './chartSeries.ts'

/** Everything that is to be seen. */
export interface PlotData extends AlignedSeries {
  span: TimeRange
  /** The ends of the scale at the left. */
  scale: readonly [number, number]
  lineStyles: readonly { colour: string; dash: number[] }[]
  /** Stretches in which something failed. */
  failures: readonly TimeRange[]
  scheme: Scheme
  /** Distances that the scale's lines may have. Left out: any round number. */
  steps?: number[]
  formatTimes: (ticks: readonly number[], distance: number) => string[]
  formatValue: (value: number) => string
}

/** A canvas with lines on it. */
export interface Plot {
  show(plotData: PlotData): void
  fit(width: number, height: number): void
  /** Puts the crosshair at a moment, or away. */
  point(at: number | undefined): void
  destroy(): void
}

/**
 * Draws lines over time into an element.
 * @param onPoint a finger or a mouse points at a moment, ms since 1970, or has gone away
 */
export type CreatePlot = (place: HTMLElement, onPoint: (at: number | undefined) => void) => Plot

const fontSize = 11

/**
 * A plot drawn by uPlot. It is made anew with every plotData: that takes a few milliseconds, and nothing is left over.
 */
export const createPlot: CreatePlot = (place, onPoint) => {
  let size = { width: place.clientWidth, height: place.clientHeight }
  let plot: UPlot | undefined
  let pointed: number | undefined
  /** What a plot says about its crosshair while it is told where to put it is no news. */
  let isTold = false

  const aim = () => {
    if (!plot) return
    isTold = true
    const left = pointed === undefined ? -10 : plot.valToPos(pointed, 'x')
    plot.setCursor({ left, top: pointed === undefined ? -10 : 0 })
    isTold = false
  }
  const onCursor = ({ cursor, data }: UPlot) => {
    if (isTold) return
    const at = cursor.idx === null || cursor.idx === undefined ? undefined : data[0][cursor.idx]
    if (at === pointed) return
    pointed = at
    onPoint(at)
  }

  return {
    show: (plotData) => {
      plot?.destroy()
      isTold = true
      plot = new UPlot(optionsOf(plotData, size, onCursor), [plotData.moments, ...plotData.lines], place)
      isTold = false
      followFinger(plot)
      aim()
    },
    fit: (width, height) => {
      if (width === size.width && height === size.height) return
      size = { width, height }
      plot?.setSize(size)
      aim()
    },
    point: (at) => {
      if (at === pointed) return
      pointed = at
      aim()
    },
    destroy: () => plot?.destroy(),
  }
}

/** uPlot hears a mouse only. A finger that goes sideways moves the crosshair, one that goes up or down scrolls. */
function followFinger(plot: UPlot): void {
  const { over } = plot
  over.style.touchAction = 'pan-y'
  const follow = (event: PointerEvent) => {
    if (event.pointerType === 'mouse') return
    const { left, top } = over.getBoundingClientRect()
    plot.setCursor({ left: event.clientX - left, top: event.clientY - top })
  }
  over.addEventListener('pointerdown', follow)
  over.addEventListener('pointermove', follow)
}

function optionsOf(plotData: PlotData, size: { width: number; height: number }, onCursor: (plot: UPlot) => void) {
  const { span, scale, lineStyles, isolated, scheme, steps, formatTimes, formatValue } = plotData
  const colour = colours[scheme]
  const axis = {
    stroke: colour.secondary,
    font: `${fontSize}px ${fonts.sans}`,
    grid: { stroke: colour.border, width: 1 },
    ticks: { show: false },
  }
  return {
    ...size,
    ms: 1,
    padding: [8, 32, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false, setScale: false },
      points: { size: 7, width: 1.5 },
      // The crosshair stands at the moment that the figures belong to.
      move: (plot, left, top) => [left < 0 ? left : plot.valToPos(plot.data[0][plot.posToIdx(left)] ?? 0, 'x'), top],
    },
    scales: { x: { time: true, range: [span.from, span.to] }, y: { range: [scale[0], scale[1]] } },
    axes: [
      { ...axis, space: 72, size: 28, values: (_plot, ticks, _axis, _space, distance) => formatTimes(ticks, distance) },
      {
        ...axis,
        space: 36,
        incrs: steps,
        values: (_plot, ticks) => ticks.map(formatValue),
        size: (_plot, words) => 14 + Math.max(24, ...(words ?? []).map((word) => word.length * fontSize * 0.58)),
      },
    ],
    series: [
      {},
      ...lineStyles.map(({ colour: stroke, dash }, place) => ({
        stroke,
        dash,
        width: 1.5,
        points: {
          size: 4,
          fill: stroke,
          filter: (_plot: UPlot, _series: number, all: boolean) => (all ? null : (isolated[place] ?? null)),
        },
      })),
    ],
    hooks: { setCursor: [onCursor], drawAxes: [(plot) => drawFailures(plot, plotData)] },
  } satisfies UPlot.Options
}

/** Columns behind the lines, never thinner than can be seen. */
function drawFailures(plot: UPlot, { failures, scheme, span }: PlotData): void {
  const { ctx, bbox } = plot
  const least = 2 * UPlot.pxRatio
  ctx.save()
  ctx.fillStyle = colours[scheme].danger
  for (const { from, to } of failures) {
    if (to < span.from) continue
    const left = plot.valToPos(Math.max(from, span.from), 'x', true)
    const width = Math.max(least, plot.valToPos(Math.min(to, span.to), 'x', true) - left)
    ctx.globalAlpha = 0.16
    ctx.fillRect(left, bbox.top, width, bbox.height)
    ctx.globalAlpha = 1
    ctx.fillRect(left, bbox.top + bbox.height - 2 * least, width, 2 * least)
  }
  ctx.restore()
}
