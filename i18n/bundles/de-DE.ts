import { ra } from '../reactAdmin/de-DE.ts'
import { allTextsIn } from './texts.ts'

export default { ra, ...allTextsIn('de') }
