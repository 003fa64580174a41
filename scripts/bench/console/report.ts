import * as bench from '../report/report.ts'
import { budgets, type Figure } from './budgets.ts'
import type { ListPage } from './pages.ts'

/** The console's figures beside those of the baseline. */
export type Report = bench.Report<Figure, ListPage['name']>

export const createReport = (): Report => bench.createReport(budgets, ['console', 'baseline'])
