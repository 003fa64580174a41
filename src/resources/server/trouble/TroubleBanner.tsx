import { styled } from '@mui/material/styles'
import { useMemo } from 'react'
import { useTranslate } from 'react-admin'
import type { Trouble } from '../../../domain/trouble/trouble.ts'
import { useTrouble } from '../../../live/trouble.ts'
import { TroubleLine, TroubleList } from './TroubleLine.tsx'

interface TroubleBannerProps {
  kind: 'server' | 'service'
  id: number
  /** Whether there will be a line as soon as it is known what is wrong: its place is kept, so that nothing moves. */
  isExpected?: boolean
}

/** All that is wrong with the server or the service of a page, in the words of the strip; nothing while it is well. */
export function TroubleBanner({ kind, id, isExpected = false }: TroubleBannerProps) {
  const translate = useTranslate()
  const all = useTrouble((state) => state.troubles)
  const troubles = useMemo(() => all?.filter((trouble) => isAbout(trouble, kind, id)) ?? [], [all, kind, id])
  if (all === undefined && isExpected) return <Banner sx={{ height: { xs: 55, md: 37 } }} />
  if (troubles.length === 0) return null
  return (
    <Banner>
      <TroubleList label={translate('app.trouble.label')}>
        {troubles.map((trouble) => (
          <TroubleLine key={trouble.key} trouble={trouble} isOwn />
        ))}
      </TroubleList>
    </Banner>
  )
}

const isAbout = (trouble: Trouble, kind: TroubleBannerProps['kind'], id: number) =>
  kind === 'server'
    ? 'server_id' in trouble && trouble.server_id === id
    : 'service_id' in trouble && trouble.service_id === id

const Banner = styled('div')(({ theme }) => ({
  marginBottom: theme.spacing(2),
  overflow: 'hidden',
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
}))
