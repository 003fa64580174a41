import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'

/** Metrics side by side, large, as many in a row as fit. */
export const MetricRow = styled('dl')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 168px), 1fr))',
  gap: 1,
  margin: theme.spacing(0, 0, 2),
  overflow: 'hidden',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  background: theme.vars.palette.background.paper,
  // Nothing comes from the server.
  '[data-lost] & dd': { opacity: 0.4 },
  [theme.breakpoints.down('sm')]: {
    gridTemplateColumns: '1fr 1fr',
    // The last one of an odd number takes the whole row.
    '& > :last-child:nth-of-type(odd)': { gridColumn: '1 / -1' },
  },
}))

interface MetricProps {
  label: string
  /** `undefined` while nothing is measured. */
  value: string | undefined
  /** A line below the value, smaller. */
  detail?: ReactNode
  /** Of 100; draws a bar, which turns to a warning from 75 and to a danger from 90. */
  percent?: number
}

/** Characters from which a value is written smaller: 4,294,967,295 connections have to fit. */
const longFrom = 8

/** One metric with its name, and where it is a share, a bar. */
export function Metric({ label, value, detail, percent }: MetricProps) {
  const level = percent === undefined || percent < 75 ? undefined : percent < 90 ? 'warning' : 'danger'
  return (
    <Frame data-level={level}>
      <dt>{label}</dt>
      <dd>
        <strong data-lines={value?.includes('\n') ? 2 : 1} data-long={(value?.length ?? 0) > longFrom}>
          {value ?? '–'}
        </strong>
        {percent === undefined ? null : (
          <i>
            <i style={{ width: `${Math.min(100, Math.max(0, percent))}%` }} />
          </i>
        )}
        {detail ? <small>{detail}</small> : null}
      </dd>
    </Frame>
  )
}

const Frame = styled('div')(({ theme }) => ({
  minWidth: 0,
  padding: theme.spacing(1.5, 2),
  // The lines between the metrics, also at the edge of a row that is not full.
  boxShadow: `0 0 0 1px ${theme.vars.palette.divider}`,
  fontVariantNumeric: 'tabular-nums',
  '& dt': { fontSize: 13, color: theme.vars.palette.text.secondary, hyphens: 'auto', overflowWrap: 'anywhere' },
  '& dd': { margin: 0 },
  '& strong': { display: 'block', fontSize: 26, fontWeight: 600, lineHeight: 1.35, whiteSpace: 'pre-line' },
  '& strong:is([data-lines="2"], [data-long=true])': { fontSize: 18, lineHeight: 1.3 },
  '& small': {
    display: 'block',
    marginTop: theme.spacing(0.5),
    fontSize: 12,
    color: theme.vars.palette.text.secondary,
    whiteSpace: 'pre-line',
    overflowWrap: 'anywhere',
  },
  '& i': { forcedColorAdjust: 'none' },
  '& dd > i': { display: 'block', height: 4, borderRadius: 2, background: theme.vars.palette.track },
  '& dd > i > i': { display: 'block', height: 4, borderRadius: 2, background: theme.vars.palette.primary.main },
  '&[data-level=warning] dd > i > i': { background: theme.vars.palette.warning.main },
  '&[data-level=danger] dd > i > i': { background: theme.vars.palette.error.main },
  '&[data-level=danger] strong': { color: theme.vars.palette.error.main },
  [theme.breakpoints.down('sm')]: {
    padding: theme.spacing(1, 1.5),
    '& strong': { fontSize: 21 },
    '& strong:is([data-lines="2"], [data-long=true])': { fontSize: 16 },
  },
}))
