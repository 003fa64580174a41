import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import Stack from '@mui/material/Stack'
import { useState } from 'react'
import type { ActionDialogProps } from '../../resources/engine/define/defineResource.ts'
import { useScreen } from '../../resources/engine/define/screen.ts'
import type { HistoryPeriod } from '../../schemas/endpoints/serviceHistory.ts'
import { ActionDialog } from '../components/ActionDialog.tsx'
import { ChartToolbar } from './ChartToolbar.tsx'
import { PeriodSwitch } from './PeriodSwitch.tsx'
import { ServiceAvailability } from './ServiceAvailability.tsx'
import { ServiceLatencyChart } from './ServiceLatencyChart.tsx'

/** A service over time: its availability on each of the last days, and its latency by server. */
export default function ServiceChartsDialog({ records, onClose }: ActionDialogProps) {
  const { texts, translate } = useScreen()
  const [period, setPeriod] = useState<HistoryPeriod>('1d')
  const [record] = records
  const id = Number(record?.id)
  return (
    <ActionDialog title={translate('app.charts.title', { what: texts.what(records) })} width={960} onClose={onClose}>
      <DialogContent dividers>
        <Stack spacing={3}>
          <ServiceAvailability id={id} />
          <div>
            <ChartToolbar>
              <PeriodSwitch period={period} onChange={setPeriod} />
            </ChartToolbar>
            <ServiceLatencyChart id={id} interval={Number(record?.duration) || 30} period={period} />
          </div>
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{translate('app.action.close')}</Button>
      </DialogActions>
    </ActionDialog>
  )
}
