import type { CreatePlot, PlotData, PlotEvents } from '../../../src/components/charts/plot/plot.ts'

/** A plot that draws nothing and remembers what it was to draw: jsdom has no canvas. */
export class FakePlot {
  /** The plots on screen, in the order in which they were made. */
  static shown: FakePlot[] = []
  /** The plot that was made last. */
  static newest: FakePlot | undefined

  plotData: PlotData | undefined
  /** Where the crosshair was put. */
  pointed: number | undefined
  isGone = false
  /** A mouse or a finger points at a moment. */
  readonly onPoint: PlotEvents['onPoint']
  /** A mouse drags over a part of the time. */
  readonly onZoom: PlotEvents['onZoom']

  constructor({ onPoint, onZoom }: PlotEvents) {
    this.onPoint = onPoint
    this.onZoom = onZoom
    FakePlot.newest = this
    FakePlot.shown.push(this)
  }
}

/** As far as a chart uses a plot, this is one. */
export const createFakePlot: CreatePlot = (_place, events) => {
  const fake = new FakePlot(events)
  return {
    show: (plotData) => {
      fake.plotData = plotData
    },
    fit: () => {},
    point: (at) => {
      fake.pointed = at
    },
    destroy: () => {
      fake.isGone = true
      FakePlot.shown = FakePlot.shown.filter((one) => one !== fake)
    },
  }
}
