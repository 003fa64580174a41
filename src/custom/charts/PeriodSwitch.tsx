import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useTranslate } from 'react-admin'
import { type HistoryPeriod, historyPeriods } from '../../schemas/endpoints/serviceHistory.ts'

interface PeriodSwitchProps {
  period: HistoryPeriod
  onChange: (period: HistoryPeriod) => void
}

/** Chooses how far back the charts go. */
export function PeriodSwitch({ period, onChange }: PeriodSwitchProps) {
  const translate = useTranslate()
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={period}
      aria-label={translate('app.charts.period')}
      onChange={(_, chosen: HistoryPeriod | null) => chosen && onChange(chosen)}
    >
      {historyPeriods.map((one) => (
        <ToggleButton key={one} value={one}>
          {translate(`app.charts.periods.${one}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
