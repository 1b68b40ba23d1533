import '../shared/words.ts';
import { showPage } from '../shared/show-page.tsx';
import { ModelPage } from './page.tsx';
import '../shared/style.css';
import './style.css';

showPage(ModelPage);
