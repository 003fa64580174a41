import { app } from './app.ts'
import { ra } from './ra.ts'
import { resources } from './resources.ts'
import { validation } from './validation.ts'

export default { ra, app, resources, validation }
