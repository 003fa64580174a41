import * as bench from '../report/report.ts'
import { budgets, type Metric } from './budgets.ts'
import type { ListPage } from './pages.ts'

/** The console's metrics beside those of the baseline. */
export type Report = bench.Report<Metric, ListPage['name']>

export const createReport = (): Report => bench.createReport(budgets, ['console', 'baseline'])
