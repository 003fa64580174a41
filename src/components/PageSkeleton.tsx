import { styled } from '@mui/material/styles'
import { useTimeout, useTranslate } from 'react-admin'

/** Milliseconds: a page that is there at once shows none of it. */
const delay = 200

interface PageSkeletonProps {
  /** Whether it is the page of one record, with its metrics in a row; else a heading stands above one panel. */
  isRecord?: boolean
}

/** The shape of a page while its code or its data are on their way, so that a slow line shows no blank page. */
export function PageSkeleton({ isRecord = false }: PageSkeletonProps) {
  const translate = useTranslate()
  const isLate = useTimeout(delay)
  if (!isLate) return <div aria-busy="true" />
  return (
    <div aria-busy="true">
      <span role="status" className="visually-hidden">
        {translate('app.list.loading')}
      </span>
      <Block style={{ width: 'min(220px, 60%)', height: 22, margin: '20px 0 18px' }} />
      {isRecord ? <Block style={{ height: 110, marginBottom: 16 }} /> : null}
      <Panel>
        {widths.map((width) => (
          <Block key={width} style={{ width: `${width}%`, height: 10 }} />
        ))}
      </Panel>
    </div>
  )
}

const widths = [90, 78, 84, 66, 72, 54]

const Block = styled('div')(({ theme }) => ({
  borderRadius: 4,
  background: theme.vars.palette.action.hover,
}))

const Panel = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 34,
  padding: '17px 20px',
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
}))
