import type { FileColumns } from '../../engine/define/column.ts'
import { serviceMetrics } from './serviceHealth.ts'
import { serviceStateOf, serviceStateWords } from './serviceStates.ts'
import type { ServiceOverview } from './useServiceOverview.ts'

const metricsOf = (id: unknown, overview: unknown) => {
  const service = (overview as ServiceOverview | undefined)?.services?.[String(id)]
  return service ? serviceMetrics(service) : {}
}

/** Rounded down, as on screen: 99.999 % never becomes 100 %. */
const percentText = (percent: number | undefined) =>
  percent === undefined ? '' : String(Math.floor(percent * 100 + 1e-6) / 100)

export const serviceFile: FileColumns = {
  status: [
    { text: (row, { snapshot, language }) => language.translate(serviceStateWords[serviceStateOf(row, snapshot)]) },
    {
      heading: 'app.charts.availability',
      unit: '%',
      text: ({ id }, { snapshot }) => percentText(metricsOf(id, snapshot).percent),
    },
    {
      heading: 'app.charts.latency',
      unit: 'ms',
      text: ({ id }, { snapshot }) =>
        metricsOf(id, snapshot)
          .ms?.toFixed(2)
          .replace(/\.?0+$/, '') ?? '',
    },
  ],
}
