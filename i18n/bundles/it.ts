import { ra } from '../reactAdmin/it.ts'
import { allTextsIn } from './texts.ts'

export default { ra, ...allTextsIn('it') }
