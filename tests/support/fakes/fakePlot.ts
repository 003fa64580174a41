import type { CreatePlot, PlotData } from '../../../src/custom/charts/plot/plot.ts'

/** A plot that draws nothing and remembers what it was to draw: jsdom has no canvas. */
export class FakePlot {
  /** The plot that was made last. */
  static newest: FakePlot | undefined

  plotData: PlotData | undefined
  /** Where the crosshair was put. */
  pointed: number | undefined
  isGone = false
  /** A mouse or a finger points at a moment. */
  readonly onPoint: (at: number | undefined) => void

  constructor(onPoint: FakePlot['onPoint']) {
    this.onPoint = onPoint
    FakePlot.newest = this
  }
}

/** As far as a chart uses a plot, this is one. */
export const createFakePlot: CreatePlot = (_place, onPoint) => {
  const fake = new FakePlot(onPoint)
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
    },
  }
}
