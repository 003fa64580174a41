import 'uplot/dist/uPlot.min.css'
import UPlot from 'uplot'
import { colours, fonts, type Scheme } from '../../theme/tokens.ts'
import type { AlignedSeries, TimeRange } from './chartSeries.ts'

/** Everything that the plot draws. */
export interface PlotData extends AlignedSeries {
  span: TimeRange
  /** The ends of the value axis. */
  scale: readonly [number, number]
  lineStyles: readonly { colour: string; dash: number[] }[]
  /** Times in which checks failed. */
  failures: readonly TimeRange[]
  scheme: Scheme
  /** Intervals that the value axis may use. Default: any round number. */
  steps?: number[]
  formatTimes: (ticks: readonly number[], distance: number) => string[]
  formatValue: (value: number) => string
}

/** A canvas that draws lines. */
export interface Plot {
  show(plotData: PlotData): void
  fit(width: number, height: number): void
  /** Moves the crosshair to a time, or hides it. */
  point(at: number | undefined): void
  destroy(): void
}

/**
 * Creates a plot in an element.
 * @param onPoint called with the time that a mouse or finger points at, ms since 1970, or `undefined` when it leaves
 */
export type CreatePlot = (container: HTMLElement, onPoint: (at: number | undefined) => void) => Plot

const fontSize = 11

/**
 * A plot drawn by uPlot. It is recreated with every change, which takes a few milliseconds and leaves no old state.
 */
export const createPlot: CreatePlot = (container, onPoint) => {
  let size = { width: container.clientWidth, height: container.clientHeight }
  let plot: UPlot | undefined
  let pointed: number | undefined
  /** Set while this code moves the crosshair itself: uPlot's event is then ignored. */
  let isMoving = false

  const moveCrosshair = () => {
    if (!plot) return
    isMoving = true
    const left = pointed === undefined ? -10 : plot.valToPos(pointed, 'x')
    plot.setCursor({ left, top: pointed === undefined ? -10 : 0 })
    isMoving = false
  }
  const onCursor = ({ cursor, data }: UPlot) => {
    if (isMoving) return
    const at = cursor.idx === null || cursor.idx === undefined ? undefined : data[0][cursor.idx]
    if (at === pointed) return
    pointed = at
    onPoint(at)
  }

  return {
    show: (plotData) => {
      plot?.destroy()
      isMoving = true
      plot = new UPlot(optionsOf(plotData, size, onCursor), [plotData.moments, ...plotData.lines], container)
      isMoving = false
      followFinger(plot)
      moveCrosshair()
    },
    fit: (width, height) => {
      if (width === size.width && height === size.height) return
      size = { width, height }
      plot?.setSize(size)
      moveCrosshair()
    },
    point: (at) => {
      if (at === pointed) return
      pointed = at
      moveCrosshair()
    },
    destroy: () => plot?.destroy(),
  }
}

/** Adds touch, as uPlot handles mice only: a finger that moves sideways moves the crosshair, up or down scrolls. */
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
      // The crosshair snaps to a time with data.
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
        size: (_plot, labels) => 14 + Math.max(24, ...(labels ?? []).map((label) => label.length * fontSize * 0.58)),
      },
    ],
    series: [
      {},
      ...lineStyles.map(({ colour: stroke, dash }, index) => ({
        stroke,
        dash,
        width: 1.5,
        points: {
          size: 4,
          fill: stroke,
          filter: (_plot: UPlot, _series: number, all: boolean) => (all ? null : (isolated[index] ?? null)),
        },
      })),
    ],
    hooks: { setCursor: [onCursor], drawAxes: [(plot) => drawFailures(plot, plotData)] },
  } satisfies UPlot.Options
}

/** Draws failed checks as columns behind the lines, with a visible minimum width. */
function drawFailures(plot: UPlot, { failures, scheme, span }: PlotData): void {
  const { ctx, bbox } = plot
  const minWidth = 2 * UPlot.pxRatio
  ctx.save()
  ctx.fillStyle = colours[scheme].danger
  for (const { from, to } of failures) {
    if (to < span.from) continue
    const left = plot.valToPos(Math.max(from, span.from), 'x', true)
    const width = Math.max(minWidth, plot.valToPos(Math.min(to, span.to), 'x', true) - left)
    ctx.globalAlpha = 0.16
    ctx.fillRect(left, bbox.top, width, bbox.height)
    ctx.globalAlpha = 1
    ctx.fillRect(left, bbox.top + bbox.height - 2 * minWidth, width, 2 * minWidth)
  }
  ctx.restore()
}
