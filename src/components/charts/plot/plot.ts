import './browserLanguage.ts'
import 'uplot/dist/uPlot.min.css'
import UPlot from 'uplot'
import { colours, fonts, type Scheme } from '../../theme/tokens.ts'
import type { AlignedSeries, TimeMark, TimeRange } from './chartSeries.ts'

/** Everything that the plot draws. */
export interface PlotData extends AlignedSeries {
  span: TimeRange
  /** The ends of the value axis. */
  scale: readonly [number, number]
  lineStyles: readonly { colour: string; dash: number[] }[]
  /** Times in which checks failed. */
  failures: readonly TimeRange[]
  marks: readonly TimeMark[]
  /** Values with a line across the plot. */
  bounds: readonly number[]
  scheme: Scheme
  /** Intervals that the value axis may use. Default: any round number. */
  steps?: number[]
  formatTimes: (ticks: readonly number[], distance: number) => string[]
  formatValues: (ticks: readonly number[]) => string[]
}

/** A canvas that draws lines. */
export interface Plot {
  show(plotData: PlotData): void
  fit(width: number, height: number): void
  /** Moves the crosshair to a time, or hides it. */
  point(at: number | undefined): void
  destroy(): void
}

/** What somebody does to a plot with a mouse or a finger; times are ms since 1970. */
export interface PlotEvents {
  /** Points at a time, or leaves. */
  onPoint: (at: number | undefined) => void
  /** Drags over a range, to see it larger; a double click asks for all of it. */
  onZoom: (range: TimeRange | undefined) => void
}

/** Creates a plot in an element. */
export type CreatePlot = (container: HTMLElement, events: PlotEvents) => Plot

const fontSize = 11
/** Pixels for the widest label, '1,000 MiB/s': the same in all charts, so that their crosshairs stand in one line. */
const axisWidth = 78
/** Pixels; a click that trembles is no drag. */
const minDragWidth = 6

/**
 * A plot drawn by uPlot. It is recreated with every change, which takes a few milliseconds and leaves no old state; a
 * change that comes while somebody drags over the plot waits until they let go.
 */
export const createPlot: CreatePlot = (container, { onPoint, onZoom }) => {
  let size = { width: container.clientWidth, height: container.clientHeight }
  let plot: UPlot | undefined
  let pointed: number | undefined
  /** Set while this code moves the crosshair itself: uPlot's event is then ignored. */
  let isMoving = false
  /** What is shown after a drag. */
  let waiting: PlotData | undefined
  const drag = followDrag(() => {
    if (waiting) draw(waiting)
  })

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

  const onSelect = (selected: UPlot) => {
    const { left, width } = selected.select
    if (width < minDragWidth) return
    onZoom({ from: selected.posToVal(left, 'x'), to: selected.posToVal(left + width, 'x') })
    selected.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false)
  }

  const draw = (plotData: PlotData) => {
    waiting = undefined
    plot?.destroy()
    isMoving = true
    plot = new UPlot(
      optionsOf(plotData, size, { onCursor, onSelect, onZoom }),
      [plotData.moments, ...plotData.lines],
      container,
    )
    isMoving = false
    followFinger(plot)
    drag.watch(plot)
    moveCrosshair()
  }

  return {
    show: (plotData) => {
      if (drag.isUnderWay()) waiting = plotData
      else draw(plotData)
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
    destroy: () => {
      drag.stop()
      plot?.destroy()
    },
  }
}

/** Knows whether somebody drags over a plot. @param onEnd called when they have let go, and the plot knows the range */
function followDrag(onEnd: () => void) {
  let isUnderWay = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    isUnderWay = false
    // uPlot hears of it by the same event.
    timer = setTimeout(onEnd)
  }
  const begin = ({ button }: MouseEvent) => {
    if (button !== 0) return
    isUnderWay = true
    document.addEventListener('mouseup', end, { once: true })
  }
  return {
    isUnderWay: () => isUnderWay,
    watch: ({ over }: UPlot) => over.addEventListener('mousedown', begin),
    stop: () => {
      clearTimeout(timer)
      document.removeEventListener('mouseup', end)
    },
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

interface PlotHooks {
  onCursor: (plot: UPlot) => void
  onSelect: (plot: UPlot) => void
  onZoom: PlotEvents['onZoom']
}

/** Instead of what uPlot does at a double click. */
function resetZoom({ onZoom }: PlotHooks): null {
  onZoom(undefined)
  return null
}

function optionsOf(plotData: PlotData, size: { width: number; height: number }, hooks: PlotHooks) {
  const { span, scale, lineStyles, isolated, scheme, steps, formatTimes, formatValues } = plotData
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
    padding: [8, 26, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      bind: { dblclick: () => () => resetZoom(hooks) },
      points: { size: 7, width: 1.5 },
      // The crosshair snaps to a time with data, except while somebody drags over a part: that may lie between two.
      move: (plot, left, top) => {
        const isDragging = ((plot.cursor.event?.buttons ?? 0) & 1) === 1
        if (left < 0 || isDragging) return [left, top]
        return [plot.valToPos(plot.data[0][plot.posToIdx(left)] ?? 0, 'x'), top]
      },
    },
    scales: { x: { time: true, range: [span.from, span.to] }, y: { range: [scale[0], scale[1]] } },
    axes: [
      { ...axis, space: 72, size: 28, values: (_plot, ticks, _axis, _space, distance) => formatTimes(ticks, distance) },
      {
        ...axis,
        space: 36,
        incrs: steps,
        values: (_plot, ticks) => formatValues(ticks),
        size: axisWidth,
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
    hooks: {
      setCursor: [hooks.onCursor],
      setSelect: [hooks.onSelect],
      drawAxes: [
        (plot) => {
          drawMarks(plot, plotData)
          drawFailures(plot, plotData)
        },
      ],
      draw: [(plot) => drawBounds(plot, plotData)],
    },
  } satisfies UPlot.Options
}

/** Draws alarms as bands behind the lines, with a bar at the top, and task runs as thin lines with a flag. */
function drawMarks(plot: UPlot, { marks, scheme, span }: PlotData): void {
  const { ctx, bbox } = plot
  const pixel = UPlot.pxRatio
  const colour = colours[scheme]
  ctx.save()
  for (const { kind, from, to } of marks) {
    if (to < span.from || from > span.to) continue
    const left = plot.valToPos(Math.max(from, span.from), 'x', true)
    const right = plot.valToPos(Math.min(to, span.to), 'x', true)
    ctx.fillStyle = { outage: colour.danger, alarm: colour.warning, run: colour.secondary, failedRun: colour.danger }[
      kind
    ]
    if (kind === 'alarm' || kind === 'outage') {
      const width = Math.max(2 * pixel, right - left)
      ctx.globalAlpha = 0.14
      ctx.fillRect(left, bbox.top, width, bbox.height)
      ctx.globalAlpha = 1
      ctx.fillRect(left, bbox.top, width, 3 * pixel)
      continue
    }
    ctx.globalAlpha = 0.55
    ctx.fillRect(Math.round(left), bbox.top, pixel, bbox.height)
    ctx.globalAlpha = 1
    ctx.beginPath()
    ctx.moveTo(left - 4 * pixel, bbox.top - 4 * pixel)
    ctx.lineTo(left + 4 * pixel, bbox.top - 4 * pixel)
    ctx.lineTo(left, bbox.top + 3 * pixel)
    ctx.fill()
  }
  ctx.restore()
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

/** Draws bounds as broken lines, over those of the values, which would hide them. */
function drawBounds(plot: UPlot, { bounds, scheme }: PlotData): void {
  const { ctx, bbox } = plot
  const pixel = UPlot.pxRatio
  ctx.save()
  ctx.strokeStyle = colours[scheme].danger
  ctx.lineWidth = 1.5 * pixel
  ctx.setLineDash([6 * pixel, 4 * pixel])
  for (const value of bounds) {
    const y = plot.valToPos(value, 'y', true)
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
  }
  ctx.restore()
}
