import { vi } from 'vitest'
import { createFakePlot } from '../fakes/fakePlot.ts'
import { createFakeScreen } from '../fakes/fakeScreen.ts'

// jsdom has no canvas: on every page, charts and terminals draw on something that remembers what it was to draw. It is
// here for all test files, so that those that look at it share their process with the others.
vi.mock('../../../src/components/charts/plot/plot.ts', () => ({ createPlot: createFakePlot }))
vi.mock('../../../src/custom/terminal/screen/xtermScreen.ts', () => ({ createXtermScreen: createFakeScreen }))
