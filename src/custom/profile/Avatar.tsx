import { createAvatar } from '@dicebear/core'
import * as notionists from '@dicebear/notionists'
import { styled } from '@mui/material/styles'
import { useMemo } from 'react'

/** The avatar that DiceBear's service would draw for a name, drawn in the browser so that no third party learns the name. */
export default function Avatar({ name, size }: { name: string; size: number }) {
  const source = useMemo(() => addressOf(createAvatar(notionists, { seed: name }).toString()), [name])
  return <Picture src={source} alt="" width={size} height={size} />
}

const addressOf = (svg: string) => `data:image/svg+xml,${encodeURIComponent(svg)}`

/** Its strokes are black, so the background is light in the dark theme too. */
const Picture = styled('img')(({ theme }) => ({
  flex: 'none',
  borderRadius: '50%',
  border: `1px solid ${theme.vars.palette.divider}`,
  background: '#F1F5F9',
}))
