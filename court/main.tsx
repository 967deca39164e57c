import './zod-without-eval.ts';
import { createRoot } from 'react-dom/client';
import { Court } from './Court.tsx';
import '../brand/tokens.css';
import '../web/styles/global.css';
import './styles/base.css';
import './styles/machine.css';
import './styles/slips.css';
import './styles/players.css';
import './styles/cable.css';
import './styles/sizes.css';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(<Court />);
