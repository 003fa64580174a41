import { styled } from '@mui/material/styles'

/** The heading of a part of a form. The first part begins at the form's top. */
export const SectionHeading = styled('h3')(({ theme }) => ({
  margin: theme.spacing(3, 0, 1.5),
  'section:first-of-type > &': { marginTop: 0 },
  fontSize: 14,
  fontWeight: 600,
  color: theme.vars.palette.text.secondary,
}))

/** The fields of a part of a form, one below the other: as wide as the form, whatever the longest word in them. */
export const SectionFields = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: theme.spacing(2),
}))
