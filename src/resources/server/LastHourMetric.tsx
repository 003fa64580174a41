import FormLabel from '@mui/material/FormLabel'
import NativeSelect from '@mui/material/NativeSelect'
import { useId } from 'react'
import { useTranslate } from 'react-admin'
import { lastHourMetrics, type LastHourMetric as Metric, useLastHourMetric } from './useLastHour.ts'

/** Chooses the metric of the column "last hour". */
export default function LastHourMetric() {
  const [metric, setMetric] = useLastHourMetric()
  const translate = useTranslate()
  const id = useId()
  return (
    <>
      <FormLabel htmlFor={id} sx={{ display: 'block', fontSize: 13, fontWeight: 600 }}>
        {translate('resources.server.columns.last_hour')}
      </FormLabel>
      <NativeSelect
        fullWidth
        inputProps={{ id }}
        value={metric}
        onChange={(event) => setMetric(event.target.value as Metric)}
      >
        {Object.entries(lastHourMetrics).map(([value, key]) => (
          <option key={value} value={value}>
            {translate(key)}
          </option>
        ))}
      </NativeSelect>
    </>
  )
}
