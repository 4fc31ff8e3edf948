import './styles/index.css'
import { createRoot } from 'react-dom/client'
import { App } from './shell/app.tsx'

const place = document.getElementById('app')
if (place !== null) createRoot(place).render(<App />)
