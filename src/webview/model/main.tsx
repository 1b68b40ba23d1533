import { showPage } from '../shared/show-page.tsx';
import { ModelPage } from './page.tsx';
import './style.css';

showPage(ModelPage);
